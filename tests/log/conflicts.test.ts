import { expect, test } from 'vitest';
import { Conflict, retryConflicts, withFreshState } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { Throttled, TransactionCanceled } from '#shared/table/table.ts';

/** A function that waits for others, by half of the longest time. */
function waiting() {
  const pausesMs: number[] = [];
  const clock = { sleep: async (ms: number) => void pausesMs.push(ms) };
  const services = { clock, ids: { fraction: () => 0.5 } } as unknown as Services;
  return { services, pausesMs };
}

/** Fails so many times, and then succeeds. */
function failing(times: number, failure: unknown): () => Promise<void> {
  let failures = 0;
  return async () => {
    if (failures++ < times) throw failure;
  };
}

test.each([
  ['a decision whose state has changed', 20, withFreshState, new Conflict()],
  ['a write that meets another one', 12, retryConflicts, new TransactionCanceled([], true)],
])('The retries of %s: %d times, after pauses that grow', async (_what, attempts, retry, failure) => {
  const patient = waiting();
  await retry(patient.services, failing(attempts - 1, failure));
  expect(patient.pausesMs).toEqual(Array.from({ length: attempts - 1 }, (_, n) => 20 * (n + 1)));
  const tired = waiting();
  await expect(retry(tired.services, failing(attempts, failure))).rejects.toThrow(Throttled);
});

test('A decision that fails otherwise is not tried again', async () => {
  const { services, pausesMs } = waiting();
  const failure = new Error('Broken');
  await expect(withFreshState(services, failing(1, failure))).rejects.toBe(failure);
  await expect(retryConflicts(services, failing(1, failure))).rejects.toBe(failure);
  expect(pausesMs).toEqual([]);
});
