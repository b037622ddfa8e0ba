import { expect, test } from 'vitest';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import type { CapacityMeter, Table } from '#shared/table/table.ts';
import { tableWith } from '#tests/harness/table/table-with.ts';
import { expectSameOutcomes } from './differential.ts';

const open = async (meter: CapacityMeter): Promise<Table> => new SqliteTable({ meter });

test.each([1, 2, 3])('Two tables give the same outcomes of seed %i', (seed) =>
  expectSameOutcomes(seed, [open, open]),
);

test.each<[string, Partial<Table>]>([
  ['loses its conditions', { write: async () => undefined }],
  ['finds nothing', { find: async () => undefined }],
  ['cuts its lists', { list: async () => [] }],
])('The comparison notices a table that %s', async (_what, defect) => {
  const openDefective = async (meter: CapacityMeter) => tableWith(await open(meter), defect);
  await expect(expectSameOutcomes(1, [open, openDefective])).rejects.toThrow('of seed 1');
});
