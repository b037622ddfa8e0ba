import { expect, test } from 'vitest';
import { getWorkerUses } from '#infra/aws/worker-uses.ts';

test('A worker cannot be deployed if nobody declared what it uses', () => {
  expect(() => getWorkerUses({}, 'tidy-up')).toThrow('What the worker tidy-up uses is not known');
});
