import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import { givenEndpoint, openDynamoTable } from '#tests/harness/table/test-table.ts';
import { describeContract } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'table-contract-'));
const opened: SqliteTable[] = [];
afterAll(async () => {
  await Promise.all(opened.map((table) => table.close()));
  await rm(folder, { recursive: true });
});

describeContract('A table in memory', async (meter) => new SqliteTable({ meter }));

describeContract('A table in a file', async (meter) => {
  const table = new SqliteTable({ path: join(folder, `${opened.length}.sqlite`), meter });
  opened.push(table);
  return table;
});

if (givenEndpoint !== undefined) {
  const endpoint = givenEndpoint;
  describeContract('A table in the given DynamoDB', (meter) => openDynamoTable(endpoint, meter));
}
