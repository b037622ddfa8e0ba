import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { defects } from './defects.ts';
import { runSimulation } from './run.ts';

const SEEDS_PER_DEFECT = 15;
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
  test.for(defects)('that $name', PATIENCE, async ({ defect, firstSeed, withReaders }) => {
    const options = { endpoint: inject('dynamodbEndpoint'), defect, ...(withReaders && { withReaders }) };
    for (let seed = firstSeed; seed < firstSeed + SEEDS_PER_DEFECT; seed++) {
      const { violations } = await runSimulation({ ...options, seed });
      if (violations.length > 0) return;
    }
    expect.fail(`${SEEDS_PER_DEFECT} runs with this defect kept every promise`);
  });
});
