import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { defects } from './defects.ts';
import { runSimulation } from './run.ts';

const SEEDS_PER_DEFECT = 15;

beforeAll(() => {
  // The service logs each of the faults.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe.concurrent('the simulation notices', () => {
  test.for(defects)('that $name', async ({ defect, firstSeed }) => {
    for (let seed = firstSeed; seed < firstSeed + SEEDS_PER_DEFECT; seed++) {
      const { violations } = await runSimulation({ endpoint: inject('dynamodbEndpoint'), seed, defect });
      if (violations.length > 0) return;
    }
    expect.fail(`${SEEDS_PER_DEFECT} runs with this defect kept every promise`);
  });
});
