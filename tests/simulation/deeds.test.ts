import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { eventTypes } from '#shared/events/catalogue.ts';
import { deeds, doneByListeners, writingOperations } from './deeds/catalogue.ts';
import { type DeedReport, runDeeds } from './run-deeds.ts';

/** Each finds something if what is told in decision 0043 is taken back. */
const FIXED_SEEDS = [2, 3, 5];
const FRESH_SEED = Math.floor(Math.random() * 2 ** 31);

/** Several runs share the machine with other tests. */
const PATIENCE = { timeout: 240_000 };

/** Types that no deed brings about, and why. */
const NEVER: Record<string, string> = {
  delete_message: 'messages go when they are older than days, and a run lasts seconds',
};

const reports: DeedReport[] = [];
const run = (seed: number) => runDeeds({ endpoint: inject('dynamodbEndpoint'), seed });

beforeAll(() => {
  console.log(`Fresh seed of the simulation with deeds: ${FRESH_SEED}`);
  // The service logs each of the faults.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe('whatever people do, and whatever goes wrong meanwhile, everybody hears what is theirs and nothing else', () => {
  test.for([...FIXED_SEEDS, FRESH_SEED])('seed %i', PATIENCE, async (seed) => {
    const report = await run(seed);
    reports.push(report);
    expect(report.violations, `The simulation with deeds and seed ${seed}`).toEqual([]);
  });
});

test('every operation that writes is among the deeds, and succeeds in one of the runs', () => {
  const known = new Set([...deeds.map(({ operation }) => operation), ...doneByListeners]);
  expect(writingOperations.filter((name) => !known.has(name))).toEqual([]);
  const succeeded = new Set<string>([
    ...doneByListeners,
    ...reports.flatMap(({ done }) =>
      done.filter(({ verdict }) => verdict === 'acknowledged').map(({ operation }) => operation),
    ),
  ]);
  expect(writingOperations.filter((name) => !succeeded.has(name))).toEqual([]);
});

test('every type of event comes of some deed', () => {
  const seen = new Set(reports.flatMap(typesOf));
  expect(eventTypes.filter((type) => !seen.has(type) && !(type in NEVER))).toEqual([]);
});

const typesOf = ({ log, listeners }: DeedReport): string[] =>
  [
    ...log.flatMap(({ events, message }) => [
      ...events.map(({ payload }) => payload),
      ...(message ? [{ type: 'message', op: undefined }] : []),
    ]),
    ...listeners.flatMap(({ events }) => events),
  ].map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));
