import { join } from 'node:path';
import { afterAll } from 'vitest';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { givenEndpoint, openDynamoTable } from '#tests/harness/table/test-table.ts';
import { describeContract } from './contract.ts';

const folder = temporaryFolder('table-contract');
const opened: SqliteTable[] = [];
afterAll(async () => {
  await Promise.all(opened.map((table) => table.close()));
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
