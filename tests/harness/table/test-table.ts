import { randomUUID } from 'node:crypto';
import { createTable, LOCAL_REGION } from '#infra/local/create-table.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import type { CapacityMeter, Table } from '#shared/table/table.ts';

/** The DynamoDB that tests run against, if it is not the table of the local service. */
export const givenEndpoint = process.env.DYNAMODB_ENDPOINT;

/** An empty table of its own: in memory, or in the DynamoDB that DYNAMODB_ENDPOINT names. */
export async function openTestTable(meter?: CapacityMeter): Promise<Table> {
  if (givenEndpoint === undefined) return new SqliteTable({ meter });
  return openDynamoTable(givenEndpoint, meter);
}

/** An empty table of its own in a DynamoDB, through the SDK. */
export async function openDynamoTable(endpoint: string, meter?: CapacityMeter): Promise<Table> {
  const place = { endpoint, tableName: `test-${randomUUID()}` };
  await createTable(place);
  return new DynamoTable({ ...place, region: LOCAL_REGION, ...(meter && { meter }) });
}
