import { describe, expect, test } from 'vitest';
import { lostDeferred } from './mutants/defects.ts';
import { runSimulation } from './run.ts';
import { PATIENCE, silenceFaults } from './test-runs.ts';

const SEEDS = [1, 2, 7195, 7507, 1538042616];

silenceFaults();

const run = { withShortSnapshots: true };

describe('A nearly empty snapshot plus the events of its queue equals the whole state', () => {
  test.for(SEEDS)('Whatever fails: seed %i', PATIENCE, async (seed) => {
    const { violations } = await runSimulation({ ...run, seed });
    expect(violations, `The simulation with short snapshots and seed ${seed}`).toEqual([]);
  });

  test('The judge notices if some of it never comes', PATIENCE, async () => {
    const { violations } = await runSimulation({ ...run, seed: 1, defect: lostDeferred });
    expect(violations).toContainEqual(
      expect.stringMatching(/^Snapshot .*(subscriptions|streams|never_subscribed)/),
    );
  });
});
