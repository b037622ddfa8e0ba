import { expect, test } from 'vitest';
import { isSweepDue } from '#shared/domain/sweep.ts';

const MINUTE_MS = 60_000;
const NOTHING = { untended: 0, segments: 0, jobs: 0, overdue: 0 };
const HOUR_MS = 487_000 * 60 * MINUTE_MS;

test('A call of the sweep does nothing if there is nothing to do', () => {
  expect(isSweepDue(HOUR_MS + 30 * MINUTE_MS, NOTHING)).toBe(false);
});

test('The first call of an hour always sweeps', () => {
  const calls = Array.from({ length: 12 }, (_, n) => HOUR_MS + (n * 5 + 3) * MINUTE_MS);
  expect(calls.map((nowMs) => isSweepDue(nowMs, NOTHING))).toEqual([true, ...Array(11).fill(false)]);
});

test.each([{ untended: 1 }, { segments: 1 }, { jobs: 1 }, { overdue: 1 }])(
  'A call of the sweep sweeps at once if it finds %j',
  (work) => {
    expect(isSweepDue(HOUR_MS + 30 * MINUTE_MS, { ...NOTHING, ...work })).toBe(true);
  },
);
