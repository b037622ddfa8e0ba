import { expect, test } from 'vitest';
import { getWorkerUses } from '#infra/aws/worker-uses.ts';

test('A worker without declared resources cannot be deployed', () => {
  expect(() => getWorkerUses({}, 'tidy-up')).toThrow('The uses of the worker tidy-up are unknown');
});
