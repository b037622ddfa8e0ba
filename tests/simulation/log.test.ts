import { describe, expect, test } from 'vitest';
import { type Report, type RunOptions, runSimulation } from './run.ts';
import { freshSeed, PATIENCE, silenceFaults } from './test-runs.ts';

const FIXED: RunOptions[] = [
  { seed: 1, withEdge: true },
  { seed: 2, withPhones: true },
  { seed: 5, withSockets: true },
];
/** Runs that once found something, or find it again when it is put back: `docs/decisions` has the findings. */
const REGRESSIONS: RunOptions[] = [{ seed: 3, withPhones: true }];
const FRESH: RunOptions[] = [{ seed: freshSeed() }];

const faults = new Set<string>();
const run = async (options: RunOptions): Promise<Report> => {
  const report = await runSimulation(options);
  for (const fault of Object.keys(report.faults)) faults.add(fault);
  return report;
};

silenceFaults();

describe('Every promise of the log is kept, whatever crashes, gets lost, comes late or races', () => {
  test.for([...FIXED, ...REGRESSIONS, ...FRESH])('Seed $seed', PATIENCE, async (options) => {
    const { violations } = await run(options);
    expect(violations, `The simulation with seed ${options.seed}`).toEqual([]);
  });
});

test('A seed determines everything in its run', PATIENCE, async () => {
  const options = { seed: 4, withPhones: true, withSockets: true };
  const [first, second] = [await run(options), await run(options)];
  expect(first.trace.length).toBeGreaterThan(500);
  expect(second).toEqual(first);
});

test('Schedules fire early, twice and never in these few runs', () => {
  expect([...faults]).toEqual(expect.arrayContaining(['delivery early', 'delivery twice', 'delivery never']));
});
