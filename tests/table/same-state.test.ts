import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Key } from '#shared/table/keys/key.ts';
import { TransactionCanceled, type Write } from '#shared/table/table.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';
import { commonKinds } from './common-states.ts';
import { userKinds } from './user-states.ts';

const table = await openTestTable();

const keyOf = (write: Write): Key =>
  write.kind === 'put' ? { pk: write.item.pk, sk: write.item.sk } : write.key;

test.each([...userKinds, ...commonKinds])(
  'Only one of two changes of the same state happens: $what',
  async ({ seeds, seen }) => {
    // The items that other types of changes left.
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
