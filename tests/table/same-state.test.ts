import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createTable } from '#infra/local/create-table.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import type { Key } from '#shared/table/keys.ts';
import { TransactionCanceled, type Write } from '#shared/table/table.ts';
import { engineEndpoint } from '#tests/harness/engine/engine-endpoint.ts';
import { commonKinds } from './common-states.ts';
import { userKinds } from './user-states.ts';

let table: DynamoTable;

beforeAll(async () => {
  const endpoint = engineEndpoint();
  const tableName = `table-${randomUUID()}`;
  await createTable({ endpoint, tableName });
  table = new DynamoTable({ endpoint, tableName, region: 'us-east-1' });
});

const keyOf = (write: Write): Key =>
  write.kind === 'put' ? { pk: write.item.pk, sk: write.item.sk } : write.key;

test.each([...userKinds, ...commonKinds])(
  'of two changes that saw the same state only one happens: $what',
  async ({ seeds, seen }) => {
    // What changes of other kinds left.
    await Promise.all(seen(0).map((write) => table.write({ kind: 'delete', key: keyOf(write) })));
    for (const item of seeds ?? []) await table.write({ kind: 'put', item });
    const happens = (count: number): Promise<boolean> =>
      table.transact(seen(count), randomUUID()).then(
        () => true,
        (failure) => {
          if (failure instanceof TransactionCanceled && failure.failed.length > 0) return false;
          throw failure;
        },
      );
    for (const count of [0, 1, 2]) {
      expect(await happens(count), `the first that saw ${count}`).toBe(true);
      expect(await happens(count), `the second that saw ${count}`).toBe(false);
    }
    expect(await happens(0)).toBe(false);
  },
);
