import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { findSearchIndex } from '#shared/search/search-index.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { messageKeys } from '#shared/table/keys/log.ts';
import { Throttled } from '#shared/table/table.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import type { Client } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { idsIn, inTopic, list, newChannel, privateChannel, send, term } from './message-lists.ts';

const SEGMENT = 60;
const FILLED = 720;

/** Every message is long; few of them match the search. */
const contentAt = (position: number): string =>
  [
    'some ordinary words that occur in every message, over and over again, '.repeat(3),
    position % 97 === 0 ? 'a walrus appears' : '',
    position % 83 === 0 ? '東京タワー' : '',
    position % 71 === 0 ? 'the deploy failed at 2.0.1' : '',
  ].join(' ');

const service = await startTestService({ searchSegment: { positions: SEGMENT, fanout: 2 } });
const ada = service.owner;
const [bo, cy] = await createUsers(service, 'Bo', 'Cy');
const room = await newChannel(ada, bo);
const secret = await privateChannel(ada);
const place = { channelId: room.channelId, channelName: room.name };
/** Messages that were changed, some before and some after they were indexed. */
const ids = {
  early: await send(ada, room.name, 'early', 'nothing much'),
  late: await send(ada, room.name, 'late', 'nothing much'),
  moved: await send(ada, room.name, 'moved', 'nothing much'),
  gone: await send(ada, room.name, 'gone', 'a walrus that goes'),
  secret: await send(ada, secret.name, 'a', 'a hidden walrus'),
  direct: await send(ada, [bo.userId], undefined, 'a walrus of ours'),
};
const { first } = await fillLog(service.services, place, FILLED, FILLED, contentAt);
await ada.patch(`/messages/${ids.early}`, { content: 'an early walrus' });
await fillLog(service.services, place, SEGMENT, SEGMENT, contentAt);
await sweep(service.services);
await ada.patch(`/messages/${ids.late}`, { content: 'a late walrus' });
await ada.patch(`/messages/${ids.moved}`, { topic: 'About a walrus' });
await ada.delete(`/messages/${ids.gone}`);
await service.settle();

const search = (operand: string) => term('search', operand);
const newest = { anchor: 'newest', num_before: 100, num_after: 0 };
const oldest = { anchor: 'oldest', num_before: 0, num_after: 100 };

/** The answer to a request without the index, which is restored afterwards. */
async function withoutIndex<Result>(act: () => Promise<Result>): Promise<Result> {
  const { table } = service.services;
  const item = await table.find(messageKeys.searchIndex());
  await table.write({ kind: 'delete', key: messageKeys.searchIndex() });
  try {
    return await act();
  } finally {
    await table.write({ kind: 'put', item: { ...item, ...messageKeys.searchIndex() } });
  }
}

describe('A search by the index', () => {
  test('Finds edited, moved and deleted messages in their current state', async () => {
    const found = await idsIn(bo, [search('walrus')]);
    expect(found).toEqual(expect.arrayContaining([ids.early, ids.late, ids.moved, ids.direct]));
    for (const hidden of [ids.gone, ids.secret]) expect(found).not.toContain(hidden);
    expect(await idsIn(ada, [search('walrus')])).toContain(ids.secret);
    expect(await idsIn(bo, [search('"an early wal"')])).toEqual([ids.early]);
    const narrow = [...inTopic(room.name, 'about a WALRUS'), search('nothing')];
    expect(await idsIn(bo, narrow)).toEqual([ids.moved]);
    expect(await idsIn(bo, [term('is', 'dm'), search('walrus')])).toEqual([ids.direct]);
    expect(await idsIn(bo, [term('sender', ada.userId), search('late')])).toEqual([ids.late]);
  });

  test.each([
    ['a word', [search('walrus')]],
    ['a phrase', [search('"deploy fai"')]],
    ['one character of it', [search('京')]],
    ['a common word', [search('ordinary')]],
    ['a stop word alone', [search('the')]],
    ['an excluded word of another script', [search('walrus'), term('-search', '東京')]],
    ['a topic of any channel', [term('topic', 'topic 7'), search('walrus')]],
    ['a sender', [term('sender', ada.userId)]],
    ['messages with a person', [term('dm', [ada.userId]), search('walrus')]],
    ['a channel', [term('channel', room.name), search('failed')]],
    ['public channels', [term('channels', 'public'), search('walrus')]],
  ])('Finds the same as a search that compares all texts: %s', async (_what, narrow) => {
    const middle = { anchor: first + FILLED / 2, num_before: 3, num_after: 3 };
    const requests: [Client, object][] = [
      [bo, newest],
      [bo, middle],
      [cy, oldest],
    ];
    for (const [reader, page] of requests) {
      const params = { ...page, narrow };
      const indexed = await list(reader, params);
      expect(indexed).toEqual(await withoutIndex(() => list(reader, params)));
    }
  });

  test('Reads little of the log for rare words', async () => {
    const cost = () => unitsOf(service, () => list(bo, { ...newest, narrow: [search('otter')] }));
    const [indexed, compared] = [await cost(), await withoutIndex(cost)];
    expect(indexed.read).toBeLessThan(50);
    expect(compared.read).toBeGreaterThan(1.5 * indexed.read);
  });

  test('Answers "try again" if a part of the index cannot be read at present, instead of reading the whole log', async () => {
    const params = { ...newest, narrow: [search('walrus')] };
    const { table } = service.services;
    const isOfIndex = ({ pk }: Key) => pk.startsWith('SEARCH_RUN#');
    service.services.table = withCalls(service.services, () => ({
      findMany: async (wanted, options) => {
        if (wanted.some(isOfIndex)) throw new Throttled('The table is busy');
        return table.findMany(wanted, options);
      },
    })).table;
    expect((await bo.get('/messages', params)).status).toBe(429);
    service.services.table = table;
    expect((await bo.get('/messages', params)).status).toBe(200);
  });

  test('Works without a part of the index that was lost', async () => {
    const { table } = service.services;
    const { segments = [] } = (await findSearchIndex(table)) ?? {};
    const before = await list(bo, { ...newest, narrow: [search('walrus')] });
    for (const { run } of segments.slice(1, 2))
      for (let bucket = 0; bucket < 2 ** run.bits; bucket++)
        await table.write({ kind: 'delete', key: messageKeys.searchBucket(run.runId, bucket) });
    expect(await list(bo, { ...newest, narrow: [search('walrus')] })).toEqual(before);
  });
});
