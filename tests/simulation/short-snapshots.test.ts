import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { lostDeferred } from './mutants/defects.ts';
import { runSimulation } from './run.ts';

const SEEDS = [1, 2, 7195, 7507, 1538042616];

/** Several runs share the machine with other tests. */
const PATIENCE = { timeout: 180_000 };

beforeEach(() => {
  // The service logs each of the faults.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
});

const run = { withShortSnapshots: true };

describe('A snapshot that has room for nearly nothing and the events of its queue come to the whole state', () => {
  test.for(SEEDS)('Whatever goes wrong: seed %i', PATIENCE, async (seed) => {
    const { violations } = await runSimulation({ ...run, seed });
    expect(violations, `The simulation with short snapshots and seed ${seed}`).toEqual([]);
  });

  test('And the judge notices when something of it is never told', PATIENCE, async () => {
    const { violations } = await runSimulation({
      ...run,
      seed: 1,
      defect: lostDeferred,
    });
    expect(
      violations.filter((one) => /^Snapshot .*(subscriptions|streams|never_subscribed)/.test(one)),
    ).not.toEqual([]);
  });
});
