import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runSimulation } from './run.ts';

const FIXED_SEEDS = [1, 2];
const FRESH_SEED = Math.floor(Math.random() * 2 ** 31);

/** Several runs share the machine with other tests. */
const PATIENCE = { timeout: 180_000 };

beforeAll(() => {
  console.log(`Fresh seed of the simulation with readers: ${FRESH_SEED}`);
});
beforeEach(() => {
  // The service logs each of the faults.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe('The read state equals the events of the clients, whatever fails', () => {
  test.for([...FIXED_SEEDS, FRESH_SEED])('Seed %i', PATIENCE, async (seed) => {
    const run = { seed, withReaders: true };
    const { violations } = await runSimulation(run);
    expect(violations, `The simulation with readers and seed ${seed}`).toEqual([]);
  });
});
