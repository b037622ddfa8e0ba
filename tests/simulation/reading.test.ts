import { describe, expect, test } from 'vitest';
import { runSimulation } from './run.ts';
import { freshSeed, PATIENCE, silenceFaults } from './test-runs.ts';

const FIXED_SEEDS = [1, 2];
const FRESH_SEED = freshSeed();

silenceFaults();

describe('The read state equals the events of the clients, whatever fails', () => {
  test.for([...FIXED_SEEDS, FRESH_SEED])('Seed %i', PATIENCE, async (seed) => {
    const { violations } = await runSimulation({ seed, withReaders: true });
    expect(violations, `The simulation with readers and seed ${seed}`).toEqual([]);
  });
});
