import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { defects } from './defects.ts';
import { runSimulation } from './run.ts';

/** The first or the second one notices as a rule. */
const SEEDS_PER_DEFECT = 10;
/** Several runs share the machine with other tests. */
const PATIENCE = { timeout: 180_000 };

beforeAll(() => {
  // The service logs each of the faults.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe.concurrent('the simulation notices', () => {
  test.for(defects)('that $name', PATIENCE, async ({ defect }) => {
    for (let seed = 1; seed <= SEEDS_PER_DEFECT; seed++) {
      const { violations } = await runSimulation({ endpoint: inject('dynamodbEndpoint'), defect, seed });
      if (violations.length > 0) return;
    }
    expect.fail(`${SEEDS_PER_DEFECT} runs with this defect kept every promise`);
  });
});
