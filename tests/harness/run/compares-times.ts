/** Files of tests that compare our code with itself: whatever is measured slows what runs many small steps more than what runs few. */
export const comparesTimes = ['tests/domain/text-budget.slow.test.ts', 'tests/domain/markdown/budget.slow.test.ts'];

/** What leaves them out of a run of vitest. */
export const withoutTimes = comparesTimes.flatMap((file) => ['--exclude', file]);
