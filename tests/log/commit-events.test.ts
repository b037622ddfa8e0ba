import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { commitWithEvents } from '#shared/log/commit-events.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const saying = (value: string): LogEvent => ({
  audience: { kind: 'everyone' },
  payload: { type: 'realm', op: 'update', property: 'description', value },
});

test('events that are more than an item of the table holds come in several entries, all of them and in order', async () => {
  const { services, owner } = service;
  const queue = await owner.listen({ event_types: ['realm'] });
  const texts = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(100_000));
  const before = await readCounter(services.table);
  await commitWithEvents(services, {}, texts.map(saying));
  expect((await readCounter(services.table)) - before).toBe(texts.length);
  expect((await queue.drain()).map(({ value }) => value)).toEqual(texts);
});
