import { describe, expect, test } from 'vitest';
import { defects } from './mutants/defects.ts';
import { runSimulation } from './run.ts';
import { PATIENCE, silenceFaults } from './test-runs.ts';

/** The first or the second one notices as a rule. Seed 1 would notice by never ending, which takes long. */
const SEEDS = [2, 3, 4, 5, 6, 7, 8, 9];
/** Fewer than elsewhere: they see these defects, too, in half of the time. */
const PEOPLE = 3;
silenceFaults();

describe.concurrent('The simulation notices', () => {
  test.for(defects)('A defect: $name', PATIENCE, async ({ defect }) => {
    for (const seed of SEEDS) {
      const { violations } = await runSimulation({ people: PEOPLE, defect, seed });
      if (violations.length > 0) return;
    }
    expect.fail(`${SEEDS.length} runs with this defect kept every promise`);
  });
});
