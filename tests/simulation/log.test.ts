import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Report, type RunOptions, runSimulation } from './run.ts';

type Run = RunOptions;

const FIXED: Run[] = [
  { seed: 1, withEdge: true },
  { seed: 2, withPhones: true },
  { seed: 5, withSockets: true },
];
/** Runs that once found something, or find it again when it is put back: `docs/decisions` has the findings. */
const REGRESSIONS: Run[] = [{ seed: 3, withPhones: true }];
const FRESH: Run[] = [{ seed: Math.floor(Math.random() * 2 ** 31) }];

/** Several runs share the machine with other tests. */
const PATIENCE = { timeout: 180_000 };

const faults = new Set<string>();
const run = async (options: Run): Promise<Report> => {
  const report = await runSimulation({ ...options });
  for (const fault of Object.keys(report.faults)) faults.add(fault);
  return report;
};

beforeAll(() => {
  console.log(`Fresh seeds of the simulation: ${FRESH.map(({ seed }) => seed).join(', ')}`);
});
beforeEach(() => {
  // The service logs each of the faults.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
});

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
