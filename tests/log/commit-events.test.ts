import { expect, test } from 'vitest';
import { commitAllButLast } from '#shared/actions/messages/finish-step.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { commitWithEvents } from '#shared/log/commit-events.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const saying = (value: string): LogEvent => ({
  audience: { kind: 'everyone' },
  payload: { type: 'realm', op: 'update', property: 'description', value },
});

test('Events beyond the size of an item come in several entries, all of them and in order', async () => {
  const { services, owner } = service;
  const queue = await owner.listen({ event_types: ['realm'] });
  const texts = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(100_000));
  const before = await readCounter(services.table);
  await commitWithEvents(services, {}, texts.map(saying));
  expect((await readCounter(services.table)) - before).toBe(texts.length);
  expect((await queue.drain()).map(({ value }) => value)).toEqual(texts);
});

test('Events share an entry up to 150 000 bytes together', async () => {
  const { services } = service;
  const envelope = JSON.stringify(saying('')).length;
  /** Some events that have so many bytes together, one of which is a letter of three bytes. */
  const eventsOf = (bytes: number): LogEvent[] => [
    saying(`€${'a'.repeat(100_000 - envelope - 3)}`),
    saying('b'.repeat(bytes - 100_000 - envelope)),
  ];
  const entriesFor = async (events: LogEvent[]): Promise<number> => {
    const before = await readCounter(services.table);
    await commitWithEvents(services, {}, events);
    return (await readCounter(services.table)) - before;
  };
  expect(await entriesFor(eventsOf(150_000))).toBe(1);
  expect(await entriesFor(eventsOf(150_001))).toBe(2);
  expect(await entriesFor([saying('c'.repeat(150_001)), saying('d')])).toBe(2);
  expect(await entriesFor([])).toBe(1);
});

test.each([0, 1, 2, 4])(
  'All of the %d changes of a step except the last are written in order; the last ends the step',
  async (count) => {
    const { services, owner } = service;
    const queue = await owner.listen({ event_types: ['realm'] });
    const texts = Array.from({ length: count }, (_, n) => `change ${n}`);
    const changes = texts.map((text) => ({ events: [saying(text)] }));
    expect(await commitAllButLast(services, changes)).toBe(changes[count - 1]);
    expect((await queue.drain()).map(({ value }) => value)).toEqual(texts.slice(0, Math.max(0, count - 1)));
  },
);
