import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import type { Client } from '#tests/harness/client.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let service: TestService;
let ada: Client;
beforeAll(async () => {
  service = await startTestService();
  ada = await createUser(service, 'Ada');
});
afterAll(() => service.stop());

test('a job whose notices are lost is published by every sweep from its third minute to its third day', async () => {
  const { bus, table } = service.services;
  const published: string[] = [];
  bus.publish = async (notices) => {
    published.push(...notices.map(({ jobId }) => jobId));
  };
  await ada.subscribe('plans');
  const waiting = (await listJobs(table)).map(({ jobId }) => jobId);
  expect(waiting.length).toBeGreaterThan(0);
  const publishedAfter = async (ms: number): Promise<string[]> => {
    service.advance(ms);
    published.length = 0;
    await sweep(service.services);
    return published;
  };
  expect(await publishedAfter(MINUTE_MS)).toEqual([]);
  expect(await publishedAfter(2 * MINUTE_MS)).toEqual(waiting);
  expect(await publishedAfter(3 * DAY_MS - 4 * MINUTE_MS)).toEqual(waiting);
  expect(await publishedAfter(2 * MINUTE_MS)).toEqual([]);
  expect(takeErrors()).toEqual(waiting.map(() => 'The sweep could not have a job done'));
  expect((await listJobs(table)).map(({ jobId }) => jobId)).toEqual(waiting);
});
