import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LogEntry, toCopy, toEntry } from '#shared/store/log-entry.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { engineEndpoint } from '#tests/harness/engine-endpoint.ts';
import { runSimulation } from './run.ts';

const ALL_ALIKE = [3];
/** As while a new version comes and goes: of the functions that run, some have other numbers of copies. */
const MIXED = [1, 3, 5];
const FRESH_SEED = Math.floor(Math.random() * 2 ** 31);

/** Several runs share the machine with other tests. */
const PATIENCE = { timeout: 180_000 };

const run = (seed: number, tailCopies: number[], defect?: (table: Table) => Table) =>
  runSimulation({ endpoint: engineEndpoint(), seed, tailCopies, ...(defect && { defect }) });

beforeAll(() => {
  console.log(`Fresh seed of the simulation with copies of the tail: ${FRESH_SEED}`);
});
beforeEach(() => {
  // The service logs each of the faults.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
});

const entryOf = (writes: Write[]): LogEntry | undefined => {
  const [first] = writes;
  return first?.kind === 'put' && first.item.pk.startsWith('LOG#') ? toEntry(first.item) : undefined;
};

/** A writer that does not wait for its position before it writes the copies. */
function copyTooEarly(table: Table): Table {
  const copy = async (writes: Write[]): Promise<void> => {
    const entry = entryOf(writes);
    if (!entry) return;
    for (const number of [1, 2]) await table.write({ kind: 'put', item: toCopy(entry, number) });
  };
  return new Proxy(table, {
    get(target, name: keyof Table) {
      if (name === 'write')
        return async (write: Parameters<Table['write']>[0]) => {
          await copy([write]);
          await target.write(write);
        };
      if (name === 'transact')
        return async (writes: Write[], token: string) => {
          await copy(writes);
          await target.transact(writes, token);
        };
      return target[name].bind(target);
    },
  });
}

describe.concurrent('with copies of the tail, every promise of the log is kept', () => {
  test('where all functions agree how many there are', PATIENCE, async () => {
    const { violations, trace } = await run(FRESH_SEED, ALL_ALIKE);
    expect(violations, `The simulation with copies and seed ${FRESH_SEED}`).toEqual([]);
    expect(trace.some((line) => / page TAIL#[12]#/.test(line))).toBe(true);
  });

  test('while functions with other numbers of copies run', PATIENCE, async () => {
    const { violations } = await run(4, MIXED);
    expect(violations).toEqual([]);
  });
});

test('the simulation notices that a copy got what never won its position', PATIENCE, async () => {
  let violations: string[] = [];
  for (let seed = 1; seed <= 10 && violations.length === 0; seed++)
    ({ violations } = await run(seed, ALL_ALIKE, copyTooEarly));
  expect(violations).not.toEqual([]);
});
