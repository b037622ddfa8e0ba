import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { tableDefinition } from '#shared/table/definition.ts';
import { names } from './names.ts';

export interface StatefulStackProps extends StackProps {
  stage: string;
}

const keyTypes = { S: AttributeType.STRING, N: AttributeType.NUMBER };

/** What must survive everything else: the table. */
export class StatefulStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: StatefulStackProps) {
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
      billing: Billing.onDemand(),
      timeToLiveAttribute: tableDefinition.timeToLiveAttribute,
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    new CfnOutput(this, 'TableName', { value: table.tableName });
  }
}
