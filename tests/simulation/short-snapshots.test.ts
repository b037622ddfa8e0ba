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

describe('A nearly empty snapshot plus the events of its queue equals the whole state', () => {
  test.for(SEEDS)('Whatever fails: seed %i', PATIENCE, async (seed) => {
    const { violations } = await runSimulation({ ...run, seed });
    expect(violations, `The simulation with short snapshots and seed ${seed}`).toEqual([]);
  });

  test('The judge notices if some of it never comes', PATIENCE, async () => {
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
