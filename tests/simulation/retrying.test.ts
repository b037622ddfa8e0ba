import { describe, expect, test } from 'vitest';
import type { Table, Write } from '#shared/table/table.ts';
import { tableWith } from '#tests/harness/table/table-with.ts';
import { runRetrying } from './people/retriers.ts';
import { freshSeed, PATIENCE, silenceFaults } from './test-runs.ts';

const FIXED_SEEDS = [1, 2, 3];
const FRESH_SEED = freshSeed();

silenceFaults();

const isKept = (write: Write): boolean =>
  write.kind === 'put' && write.item.pk.startsWith('KEYED_REQUESTS#') && 'answer' in write.item;

/** Stores answers after the created things, and not with them. */
const keepsTooLate = (table: Table): Table =>
  tableWith(table, {
    async transact(writes, requestToken) {
      await table.transact(
        writes.filter((write) => !isKept(write)),
        requestToken,
      );
      for (const write of writes) if (isKept(write) && write.kind === 'put') await table.write(write);
    },
  });

/** Keeps an answer that a faster process stored. */
const keepsBlindly = (table: Table): Table =>
  tableWith(table, {
    transact: (writes, requestToken) =>
      table.transact(
        writes.map((write) =>
          isKept(write) && write.kind === 'put' ? { kind: 'put', item: write.item } : write,
        ),
        requestToken,
      ),
  });

describe.concurrent('A request under one key happens once, and gets its answer', () => {
  test.for([...FIXED_SEEDS, FRESH_SEED])('Seed %i', PATIENCE, async (seed) => {
    const { violations, attempts } = await runRetrying({ seed });
    expect(violations, `The simulation with retries and seed ${seed}`).toEqual([]);
    expect(attempts).toBeGreaterThan(15);
  });
});

describe('The judge notices a service', () => {
  const SEEDS = [1, 2, 3, 4];
  const findsOut = async (defect: (table: Table) => Table): Promise<boolean> => {
    for (const seed of SEEDS) {
      const { violations } = await runRetrying({ seed, defect });
      if (violations.length > 0) return true;
    }
    return false;
  };

  test('Storing answers after the created things', PATIENCE, async () => {
    expect(await findsOut(keepsTooLate)).toBe(true);
  });

  test('Storing an answer although another attempt was faster', PATIENCE, async () => {
    expect(await findsOut(keepsBlindly)).toBe(true);
  });
});
