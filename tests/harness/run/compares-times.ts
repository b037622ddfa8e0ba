/**
 * Files of tests that compare our code with itself: instrumentation slows code with many small steps more than code
 * with few.
 */
export const comparesTimes = [
  'tests/domain/text-budget.slow.test.ts',
  'tests/domain/markdown/budget.slow.test.ts',
];

/** The options that exclude them from a run of vitest. */
export const withoutTimes = comparesTimes.flatMap((file) => ['--exclude', file]);
