import { describe, expect, it } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { tableDefinition } from '#shared/table/definition.ts';
import {
  arnOf,
  deploy,
  functionNamed,
  plainOf,
  propertiesOf,
  resourcesOf,
  roleOf,
  variablesIn,
} from './fixture.ts';

const TAGS = [
  { Key: 'service', Value: 'team-chat' },
  { Key: 'stage', Value: 'prod' },
];
const { endpoints, workers } = listFunctions();
const deployment = deploy();

type Part = 'stateful' | 'stateless' | 'wiring';

const all = (part: Part, type: string) => propertiesOf(deployment[part], type);

describe('The resources of a deployment', () => {
  it('Have the name of the service and of its stage, wherever AWS supports tags', () => {
    for (const part of ['stateful', 'stateless', 'wiring'] as const) {
      const { Resources } = deployment[part].toJSON();
      for (const { Properties } of Object.values(Resources) as { Properties: { Tags?: unknown } }[])
        if (Array.isArray(Properties.Tags)) expect(Properties.Tags).toEqual(TAGS);
        else if (Properties.Tags) expect(Properties.Tags).toEqual({ service: 'team-chat', stage: 'prod' });
    }
    for (const type of ['AWS::S3::Bucket', 'AWS::SQS::Queue', 'AWS::Lambda::Function'])
      for (const part of ['stateful', 'stateless'] as const)
        for (const [, { Properties }] of resourcesOf(deployment[part], type))
          expect(Properties.Tags).toEqual(TAGS);
  });

  it('Cannot be deleted with their data by one command', () => {
    expect(deployment.protected).toEqual(['TeamChat-prod-Stateful']);
  });

  it('Keep files in a bucket of this account and region, which browsers read by ranges', () => {
    expect(all('stateful', 'AWS::S3::Bucket')).toMatchObject([
      {
        BucketName: 'team-chat-prod-<AccountId>-<Region>',
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        CorsConfiguration: {
          CorsRules: [
            {
              AllowedMethods: ['GET', 'HEAD'],
              AllowedOrigins: ['*'],
              AllowedHeaders: ['Range', 'If-Range'],
              ExposedHeaders: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'],
            },
          ],
        },
      },
    ]);
    const [{ PolicyDocument: document }] = all('stateful', 'AWS::S3::BucketPolicy');
    expect(document.Statement.map(({ Condition }: { Condition: object }) => Condition)).toEqual([
      { Bool: { 'aws:SecureTransport': 'false' } },
      { NumericLessThan: { 's3:TlsVersion': 1.2 } },
    ]);
  });

  it('Cover every item by the keys and indexes of the table, which hold whole items', () => {
    const [table] = all('stateful', 'AWS::DynamoDB::GlobalTable');
    const key = (partition: string, sort: string) => [
      { AttributeName: partition, KeyType: 'HASH' },
      { AttributeName: sort, KeyType: 'RANGE' },
    ];
    expect(table.TableName).toBe('team-chat-prod');
    expect(table.KeySchema).toEqual(key(tableDefinition.partitionKey, tableDefinition.sortKey));
    expect(table.GlobalSecondaryIndexes).toEqual(
      tableDefinition.indexes.map(({ name, partitionKey, sortKey }) => ({
        IndexName: name,
        KeySchema: key(partitionKey, sortKey),
        Projection: { ProjectionType: 'ALL' },
      })),
    );
    const typed = table.AttributeDefinitions.map(Object.values).map((values: string[]) => values.join(' '));
    expect(typed.sort()).toEqual([
      'due S',
      'dueAtSeconds N',
      'inChannel S',
      'inConversation S',
      'pk S',
      'sk S',
    ]);
  });
});

describe('Each function', () => {
  it('Without requests has two minutes, and a description in the console', () => {
    const described = workers
      .filter(({ name }) => name !== 'call-outside')
      .map(({ name }) => {
        const { Description, Timeout, MemorySize } = functionNamed(deployment.stateless, name).Properties;
        return [name, Description, Timeout, MemorySize];
      });
    expect(described).toEqual([
      ['deliver-scheduled-message', 'Sends a scheduled message that is due', 120, 512],
      ['erase-organization', 'Deletes all data of an organization', 900, 512],
      ['export-data', 'Makes an archive of all data', 900, 2048],
      ['notify-devices', 'Notifies devices of messages', 120, 512],
      ['preview-links', 'Adds previews of links to messages', 120, 1769],
      ['run-job', 'Does a job that a request left on the bus', 120, 512],
      ['sweep', 'Repairs and finishes overdue work', 120, 512],
    ]);
  });

  it('Without requests is retried twice, and leaves failures in the queue of its type', () => {
    const failures = all('stateless', 'AWS::Lambda::EventInvokeConfig');
    const invoked = workers.filter(({ name }) => name !== 'call-outside');
    expect(failures.map(({ MaximumRetryAttempts }) => MaximumRetryAttempts)).toEqual(invoked.map(() => 2));
    const queues = invoked.map(({ name }) => {
      const queue =
        name === 'deliver-scheduled-message' ? '<SchedulingDeadLetters.Arn>' : '<JobsDeadLetters.Arn>';
      const { Statement } = roleOf(deployment.stateless, name).Properties.Policies[0].PolicyDocument;
      expect(plainOf(deployment.stateless, Statement)).toContainEqual({
        Effect: 'Allow',
        Action: 'sqs:SendMessage',
        Resource: queue,
      });
      return queue;
    });
    expect(failures.map(({ DestinationConfig }) => DestinationConfig.OnFailure.Destination).sort()).toEqual(
      queues.sort(),
    );
  });

  it('For unmatched requests has more time than each operation that it invokes', () => {
    const { Description, Timeout, MemorySize } = functionNamed(
      deployment.stateless,
      'answer-unrouted',
    ).Properties;
    expect([Description, Timeout, MemorySize]).toEqual([
      'Answers what no route of the API matches, the web client among it',
      30,
      512,
    ]);
  });

  it('Gets the names of the resources that it uses', () => {
    const environmentOf = (name: string) =>
      plainOf(deployment.stateless, variablesIn(deployment.stateless, name));
    expect(environmentOf('create-scheduled-message')).toEqual({
      TABLE_NAME: 'team-chat-prod',
      ACCESS_LOG: 'true',
      SCHEDULE_GROUP: 'team-chat-prod',
      DELIVERY_FUNCTION_ARN: arnOf('lambda', 'function:team-chat-prod-deliver-scheduled-message'),
      SCHEDULER_ROLE_ARN: '<SchedulingRole.Arn>',
      SCHEDULE_DEAD_LETTER_ARN: '<SchedulingDeadLetters.Arn>',
      PATH_METHODS: 'POST,GET',
    });
    expect(environmentOf('ask-for-password-reset').BUS_NAME).toBe('team-chat-prod');
    expect(environmentOf('export-data')).toHaveProperty('FILES_BUCKET');
    expect(environmentOf('get-temporary-file')).toMatchObject({
      SECRET_PARAMETER: '/team-chat/prod/api-key-secret',
      FILES_BUCKET: 'team-chat-prod-<AccountId>-<Region>',
    });
  });

  it('Can be assumed by Lambda only', () => {
    for (const { name } of [...endpoints, ...workers])
      expect(
        plainOf(
          deployment.stateless,
          roleOf(deployment.stateless, name).Properties.AssumeRolePolicyDocument.Statement,
        ),
      ).toEqual([
        { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
      ]);
  });
});
