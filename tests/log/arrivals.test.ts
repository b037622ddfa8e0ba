import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { type LogEntry, noOpEntry, toItem } from '#shared/store/log/log-entry.ts';
import { SETTLING_MS } from '#shared/store/log/rewriting.ts';
import { arrivalWrites, listArrivedIds } from '#shared/store/topics/arrivals.ts';
import { findNeighbour, listTopicMessages, topicIndex } from '#shared/store/topics/topic-messages.ts';
import { withCalls, writeEntries } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';

const CHANNEL = 7;
/** More than two pages. */
const MOVES = 45;

const service = await startTestService();
const { services } = service;

const arrive = async (position: number, topic: string, messageIds: number[], atMs: number) => {
  const messages = messageIds.map((messageId) => ({ messageId }));
  const writes = arrivalWrites({ channelId: CHANNEL, topic }, messages, position, atMs);
  await services.table.transact(writes, randomUUID());
};
const ascending = (ids: number[]) => ids.toSorted((a, b) => a - b);

test('Every recent move to a channel is found, however many there were', async () => {
  const nowMs = services.clock.nowMs();
  for (let position = 1; position <= MOVES; position++)
    await arrive(position, position % 2 ? 'Odd' : 'even', [position, 1_000 + position], nowMs);
  const positions = Array.from({ length: MOVES }, (_, index) => index + 1);
  const all = (some: number[]) => ascending(some.flatMap((position) => [position, 1_000 + position]));
  const here = { channelId: CHANNEL };
  expect(ascending(await listArrivedIds(services, here))).toEqual(all(positions));
  const odd = all(positions.filter((position) => position % 2 === 1));
  for (const topic of ['odd', 'ODD'])
    expect(ascending(await listArrivedIds(services, { ...here, topic }))).toEqual(odd);
  expect(await listArrivedIds(services, { ...here, topic: 'other' })).toEqual([]);
  expect(await listArrivedIds(services, { channelId: CHANNEL + 1 })).toEqual([]);
});

test('A move is forgotten as soon as the indexes certainly contain it', async () => {
  const { table, clock } = services;
  const nowMs = clock.nowMs() + 10 * SETTLING_MS;
  const settled = nowMs - SETTLING_MS;
  await arrive(1_001, 'old', [1], settled - 1);
  await arrive(1_002, 'new', [2], settled);
  const known = (atMs: number) =>
    listArrivedIds({ table, clock: { ...clock, nowMs: () => atMs } }, { channelId: CHANNEL });
  expect(await known(nowMs - 1)).toEqual([2, 1]);
  expect(await known(nowMs)).toEqual([2]);
  expect(await known(nowMs + 1)).toEqual([]);
});

test.each([
  ['newest', true, 25],
  ['oldest', false, 11],
])(
  'The %s message of a topic is found behind all that have left it, although the index still lists them',
  async (_which, backwards, stays) => {
    const first = backwards ? 20_000 : 30_000;
    const entriesIn = (topicAt: (n: number) => string): LogEntry[] =>
      Array.from({ length: 35 }, (_, n) => {
        const message = { kind: 'channel', channelId: CHANNEL, topic: topicAt(n + 1) } as StoredMessage;
        return { ...noOpEntry(first + n + 1, 0, 'test'), message };
      });
    await writeEntries(
      services,
      entriesIn((n) => (n === stays ? 'here' : 'elsewhere')),
    );
    const listed = entriesIn(() => 'here').map(toItem);
    const stale = withCalls(services, () => ({
      page: async ({ from = '', to = '~', limit = 1, ...query }) => {
        const within = listed.filter(({ sk }) => from <= sk && sk <= to);
        const ordered = query.backwards ? within.toReversed() : within;
        return { items: ordered.slice(0, limit), more: ordered.length > limit };
      },
    }));
    const index = topicIndex({ channelId: CHANNEL, topic: 'here' });
    const found = await findNeighbour(stale, index, new Set(), { backwards });
    expect(found?.messageId).toBe(first + stays);
  },
);

test('The messages of a topic are listed from the oldest to the newest, also one that came from elsewhere', async () => {
  const first = 40_001;
  const message = { kind: 'channel', channelId: CHANNEL, topic: 'sorted' } as StoredMessage;
  const entries = Array.from({ length: 300 }, (_, n): LogEntry => {
    const entry = noOpEntry(first + n, 0, 'test');
    return n < 3 ? { ...entry, message } : entry;
  });
  await writeEntries(services, entries);
  await arrive(first + 3, 'sorted', [first], services.clock.nowMs());
  // The index does not know yet that the oldest one came.
  const stale = withCalls(services, (table) => ({
    list: async (query) => {
      const items = await table.list(query);
      return 'index' in query ? items.slice(1) : items;
    },
  }));
  const place = { channelId: CHANNEL, topic: 'sorted' };
  const listed = await listTopicMessages(stale, place, { from: first, to: first + 300 });
  expect(listed.map(({ messageId }) => messageId)).toEqual([first, first + 1, first + 2]);
});
