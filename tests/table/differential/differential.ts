import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { CapacityMeter, Table } from '#shared/table/table.ts';
import { Random } from '#tests/simulation/random.ts';
import { type MeteredTable, outcomeOf } from './outcome.ts';
import { RandomCalls } from './random-calls.ts';

const CALLS = 400;

type OpenTable = (meter: CapacityMeter) => Promise<Table>;

async function metered(open: OpenTable): Promise<MeteredTable> {
  const used = { read: 0, write: 0 };
  const table = await open(({ read, write }) => {
    used.read += read;
    used.write += write;
  });
  return { table, used };
}

/** Makes the same random calls on two tables, and expects the same answers, failures and units. */
export async function expectSameOutcomes(
  seed: number,
  [one, other]: [OpenTable, OpenTable],
  { comparesUnits = true } = {},
): Promise<void> {
  const [first, second] = [await metered(one), await metered(other)];
  const calls = new RandomCalls(new Random(seed));
  for (let count = 1; count <= CALLS; count++) {
    const call = calls.next();
    const outcomes = [await outcomeOf(first, call), await outcomeOf(second, call)];
    const [a, b] = comparesUnits ? outcomes : outcomes.map(({ units: _, ...outcome }) => outcome);
    // The comparison of large items is slow, and rarely needed.
    if (!isDeepStrictEqual(a, b)) expect(a, `call ${count} of seed ${seed}: ${describe(call)}`).toEqual(b);
  }
}

const describe = (call: unknown): string =>
  JSON.stringify(call, (_key, value) => {
    if (value instanceof Set) return { set: [...value] };
    return typeof value === 'string' && value.length > 100 ? `${value.length} characters` : value;
  });
