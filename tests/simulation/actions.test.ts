import { describe, expect, test } from 'vitest';
import { eventTypes } from '#shared/events/catalogue.ts';
import { actions, doneByListeners, writingOperations } from './actions/catalogue.ts';
import { type ActionReport, runActions } from './actions/run-actions.ts';
import { faultNames } from './tables/faults.ts';
import { freshSeed, PATIENCE, silenceFaults } from './test-runs.ts';

/** In their runs nearly everything happens. */
const FIXED_SEEDS = [16, 19];
const SEED_WITH_ALL_FAULTS = 19;
const FRESH_SEED = freshSeed();

/** There are no sockets here, and files are seldom read while things go wrong. */
const ELSEWHERE = ['busy', 'old-copy'];

/**
 * The share of all operations and types of events; faults and other people leave no room for the others in so few
 * runs.
 */
const REACHED_SHARE = 0.9;

const reports: ActionReport[] = [];
const run = (seed: number) => runActions({ seed, withAllFaults: seed === SEED_WITH_ALL_FAULTS });

silenceFaults();

describe('Every user gets exactly their own events, whatever people do and whatever fails', () => {
  test.for([...FIXED_SEEDS, FRESH_SEED])('Seed %i', PATIENCE, async (seed) => {
    const report = await run(seed);
    reports.push(report);
    expect(report.violations, `The simulation with actions and seed ${seed}`).toEqual([]);
  });
});

test('The catalogue of actions has every operation that writes', () => {
  const known = new Set([...actions.map(({ operation }) => operation), ...doneByListeners]);
  expect(writingOperations.filter((name) => !known.has(name))).toEqual([]);
});

test('Nine of ten operations that write succeed in these few runs', () => {
  const succeeded = new Set<string>([
    ...doneByListeners,
    ...reports.flatMap(({ done }) =>
      done.filter(({ verdict }) => verdict === 'acknowledged').map(({ operation }) => operation),
    ),
  ]);
  const lacking = writingOperations.filter((name) => !succeeded.has(name));
  expect(lacking.length, lacking.join(', ')).toBeLessThanOrEqual(
    (1 - REACHED_SHARE) * writingOperations.length,
  );
});

test('Every possible failure of a call happens in these few runs', () => {
  const seen = new Set(reports.flatMap(({ faults }) => Object.keys(faults)));
  const here = faultNames.filter((fault) => !ELSEWHERE.includes(fault));
  expect([...seen]).toEqual(expect.arrayContaining([...here, 'job late', 'job twice', 'job never']));
});

test('Nine of ten types of events happen in these few runs', () => {
  const seen = new Set(reports.flatMap(typesOf));
  const lacking = eventTypes.filter((type) => !seen.has(type));
  expect(lacking.length, lacking.join(', ')).toBeLessThanOrEqual((1 - REACHED_SHARE) * eventTypes.length);
});

const typesOf = ({ log, listeners }: ActionReport): string[] =>
  [
    ...log.flatMap(({ events, message }) => [
      ...events.map(({ payload }) => payload),
      ...(message ? [{ type: 'message', op: undefined }] : []),
    ]),
    ...listeners.flatMap(({ events }) => events),
  ].map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));
