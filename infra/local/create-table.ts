import {
  type AttributeDefinition,
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '#shared/table/definition.ts';
import { credentialsFor } from '#shared/table/endpoint-credentials.ts';

/** The region of the local table; some emulators separate regions. */
export const LOCAL_REGION = 'us-east-1';
export const LOCAL_TABLE = 'team-chat';

const READY_TIMEOUT_SECONDS = 30;

export interface CreateTableOptions {
  endpoint: string;
  tableName: string;
}

/** Creates the table unless it exists; resolves when it is ready. */
export async function createTable({ endpoint, tableName }: CreateTableOptions): Promise<void> {
  const requestHandler = { connectionTimeout: 2_000, requestTimeout: 10_000 };
  const client = new DynamoDBClient({
    endpoint,
    region: LOCAL_REGION,
    requestHandler,
    ...credentialsFor(endpoint),
  });
  try {
    await client.send(new CreateTableCommand(describeTable(tableName))).catch(ignoreExisting);
    const patience = { client, maxWaitTime: READY_TIMEOUT_SECONDS, minDelay: 1, maxDelay: 1 };
    await waitUntilTableExists(patience, { TableName: tableName });
    await enableTimeToLive(client, tableName);
  } finally {
    client.destroy();
  }
}

function ignoreExisting(failure: unknown): void {
  if (!(failure instanceof ResourceInUseException)) throw failure;
}

async function enableTimeToLive(client: DynamoDBClient, tableName: string): Promise<void> {
  const reply = await client.send(new DescribeTimeToLiveCommand({ TableName: tableName }));
  const status = reply.TimeToLiveDescription?.TimeToLiveStatus;
  if (status === 'ENABLED' || status === 'ENABLING') return;
  const AttributeName = tableDefinition.timeToLiveAttribute;
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { AttributeName, Enabled: true },
    }),
  );
}

function describeTable(tableName: string): CreateTableCommandInput {
  const { partitionKey, sortKey, indexes } = tableDefinition;
  const types = new Map<string, 'S' | 'N'>([
    [partitionKey, 'S'],
    [sortKey, 'S'],
  ]);
  for (const index of indexes) {
    types.set(index.partitionKey, 'S');
    types.set(index.sortKey, index.sortKeyType);
  }
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(partitionKey, sortKey),
    AttributeDefinitions: [...types].map(
      ([AttributeName, AttributeType]): AttributeDefinition => ({ AttributeName, AttributeType }),
    ),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index.partitionKey, index.sortKey),
      Projection: { ProjectionType: 'ALL' },
    })),
  };
}

const keySchema = (partitionKey: string, sortKey: string): KeySchemaElement[] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];
