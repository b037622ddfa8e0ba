import { expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const service = await startTestService();
const ada = await createUser(service, 'Ada');

test('A job with lost notices is published from its third minute to its third day, and reported from its second hour', async () => {
  const { bus, clock, config, table } = service.services;
  const beganMs = clock.nowMs();
  const published: string[] = [];
  bus.publish = async (notices) => {
    published.push(...notices.map(({ jobId }) => jobId));
  };
  const publishedAt = async (ageMs: number): Promise<string[]> => {
    clock.nowMs = () => beganMs + ageMs;
    published.length = 0;
    await sweep(service.services);
    return published;
  };
  clock.nowMs = () => beganMs;
  await ada.subscribe('plans');
  const waiting = (await listJobs(table)).map(({ jobId }) => jobId);
  expect(waiting.length).toBeGreaterThan(0);
  expect(config.jobRetryMs).toBe(2 * MINUTE_MS);
  expect(await publishedAt(2 * MINUTE_MS)).toEqual([]);
  expect(await publishedAt(60 * MINUTE_MS)).toEqual(waiting);
  expect(takeErrors()).toEqual([]);
  expect(await publishedAt(3 * DAY_MS)).toEqual(waiting);
  expect(takeErrors()).toEqual(waiting.map(() => 'The sweep could not finish a job'));
  expect(await publishedAt(3 * DAY_MS + 1)).toEqual([]);
  expect(takeErrors()).toEqual(waiting.map(() => 'The sweep could not finish a job'));
  expect((await listJobs(table)).map(({ jobId }) => jobId)).toEqual(waiting);
});
