import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { runSimulation } from './run.ts';

const FIXED_SEEDS = [1, 3, 4, 5, 6, 7];
/** Seeds that once found something: `docs/decisions` tells what. */
const REGRESSIONS = [2, 13, 22];
const FRESH_SEEDS = [1, 2].map(() => Math.floor(Math.random() * 2 ** 31));

/** Several runs share the machine with other tests. */
const PATIENCE = { timeout: 180_000 };

const run = (seed: number) => runSimulation({ endpoint: inject('dynamodbEndpoint'), seed });

beforeAll(() => {
  console.log(`Fresh seeds of the simulation: ${FRESH_SEEDS.join(', ')}`);
  // The service logs each of the faults.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe.concurrent('whatever crashes, gets lost, comes late or meets, every promise of the log is kept', () => {
  test.for([...FIXED_SEEDS, ...REGRESSIONS, ...FRESH_SEEDS])('seed %i', PATIENCE, async (seed) => {
    const { violations } = await run(seed);
    expect(violations, `The simulation with seed ${seed}`).toEqual([]);
  });
});

test('a seed decides everything that happens in its run', PATIENCE, async () => {
  const [first, second] = await Promise.all([run(1), run(1)]);
  expect(first.trace.length).toBeGreaterThan(500);
  expect(second).toEqual(first);
});
