import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { tableDefinition } from '#shared/table/definition.ts';
import { names } from './names.ts';
import type { Settings } from './settings/settings.ts';

export interface StatefulStackProps extends StackProps {
  stage: string;
  /** Whether a distribution is in front of the API, which then needs a secret. */
  hasEntrance: boolean;
  /** Whether the stack of the event socket reads the stream of the table. */
  hasEventSocket: boolean;
  tableKey: Settings['tableKey'];
}

const keyTypes = { S: AttributeType.STRING, N: AttributeType.NUMBER };

/** The resources with data: the table and the files. */
export class StatefulStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage, hasEntrance, hasEventSocket, tableKey, ...props }: StatefulStackProps,
  ) {
    super(scope, id, { ...props, terminationProtection: true });
    const table = new TableV2(this, 'Table', {
      tableName: names(stage).table,
      partitionKey: { name: tableDefinition.partitionKey, type: AttributeType.STRING },
      sortKey: { name: tableDefinition.sortKey, type: AttributeType.STRING },
      globalSecondaryIndexes: tableDefinition.indexes.map((index) => ({
        indexName: index.name,
        partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
        sortKey: { name: index.sortKey, type: keyTypes[index.sortKeyType] },
        projectionType: ProjectionType.ALL,
      })),
      // Costs nothing while no one reads it, and stays if the event socket is switched off: open sockets continue.
      dynamoStream: StreamViewType.KEYS_ONLY,
      billing: Billing.onDemand(),
      timeToLiveAttribute: tableDefinition.timeToLiveAttribute,
      encryption:
        tableKey === 'aws-owned' ? TableEncryptionV2.dynamoOwnedKey() : TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.#addFiles(stage);
    if (hasEntrance) this.#addOriginSecret(stage);
    // Last, because a rollback of the first deployment cannot delete a table with deletion protection.
    for (const other of this.node.children) if (other !== table) table.node.addDependency(other);
    if (hasEventSocket && table.tableStreamArn)
      new StringParameter(this, 'StreamParameter', {
        parameterName: names(stage).tableStreamParameter,
        stringValue: table.tableStreamArn,
      });
    new CfnOutput(this, 'TableName', { value: table.tableName });
  }

  #addOriginSecret(stage: string): void {
    const secret = new Secret(this, 'OriginSecret', {
      secretName: names(stage).originSecret,
      description: 'By this the distribution before the API proves that a request came through it',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SMG4',
      reason:
        'The distribution and all functions hold it, so it changes with a deployment and not by itself.',
    });
  }

  /** Private: clients get files from a function, or by an address signed for a limited time. */
  #addFiles(stage: string): void {
    const bucket = new Bucket(this, 'Files', {
      bucketName: names(stage).filesBucket(this),
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: true,
      // The service redirects pages here for large files; a page may read what its signed address allows.
      cors: [
        {
          allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
          allowedOrigins: ['*'],
          allowedHeaders: ['Range', 'If-Range'],
          exposedHeaders: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'],
        },
      ],
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          // How long deleted or replaced files can be restored.
          noncurrentVersionExpiration: Duration.days(30),
          expiredObjectDeleteMarker: true,
        },
      ],
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions::AwsSolutions-S1',
      reason:
        'Only functions of the service may get files, and the access log of the API names each request.',
    });
  }
}
