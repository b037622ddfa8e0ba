import { beforeEach, describe, expect, test } from 'vitest';
import { fillLog } from '#tests/harness/backlog.ts';
import { keyOfNarrow, topicNarrow } from '#web/state/narrow.ts';
import { openRoom, type Room } from './room.ts';

let ids: number[];
/** Fills a topic with more messages than a page fetches at once. */
async function fillWalk({ service, room }: Pick<Room, 'service' | 'room'>): Promise<void> {
  const place = { channelId: room.channelId, channelName: room.name };
  const contentAt = (position: number) => `step ${position}`;
  const { first } = await fillLog(service.services, place, 300, 300, contentAt, () => ({ topic: 'walk' }));
  ids = Array.from({ length: 300 }, (_, n) => first + n);
}
const { service, bo, room, page } = await openRoom(fillWalk);
const { matching, pages } = page.net;
beforeEach(() => {
  page.net.store.cache.value = { byId: new Map(), runs: new Map(), topics: new Map() };
});

const cache = () => page.net.store.cache.value;
const narrowOf = (topic: string) => topicNarrow(room.channelId, topic);
const runOf = (topic: string) => cache().runs.get(keyOfNarrow(narrowOf(topic)));
const walk = narrowOf('walk');
const key = keyOfNarrow(walk);
const run = () => runOf('walk');
const topicNames = () =>
  cache()
    .topics.get(room.channelId)
    .map(({ name }: { name: string }) => name);

test('A feed opens around a message, grows at both ends, and shows its ends', async () => {
  await pages.openRun(walk, ids[150]);
  expect(run()).toMatchObject({ ids: ids.slice(110, 211), hasOldest: false, hasNewest: false });
  await pages.extendRun(walk, 'older');
  expect(run()).toMatchObject({ ids: ids.slice(10, 211), hasOldest: false, hasNewest: false });
  await pages.extendRun(walk, 'older');
  expect(run()).toMatchObject({ ids: ids.slice(0, 211), hasOldest: true, hasNewest: false });
  await pages.extendRun(walk, 'newer');
  expect(run()).toMatchObject({ ids, hasOldest: true, hasNewest: true });
  expect(pages.loading.value.get(key)).toEqual({ isLoading: false });
  const before = page.calls.length;
  await pages.extendRun(walk, 'older');
  await pages.extendRun(walk, 'newer');
  await pages.openRun(walk, ids[150]);
  await pages.openRun(walk, 'newest');
  await pages.openRun(walk, 'first_unread');
  expect(page.calls).toHaveLength(before);
});

test('A feed that lacks the requested place is fetched there', async () => {
  await pages.openRun(walk, ids[0]);
  expect(run()).toMatchObject({ hasOldest: true, hasNewest: false });
  await pages.openRun(walk, ids[290]);
  expect(run().ids).toEqual(ids.slice(250));
  await pages.openRun(walk, ids[0]);
  await pages.openRun(walk, 'newest');
  expect(run().hasNewest).toBe(true);
  expect(run().ids).toEqual(ids.slice(-run().ids.length));
  expect(run().ids.length).toBeGreaterThanOrEqual(40);
});

test('A feed that cannot be fetched shows the reason, and is fetched on the next request', async () => {
  page.refuseNext('Not today');
  await pages.openRun(walk, 'newest');
  expect(pages.loading.value.get(key)).toEqual({ isLoading: false, failure: 'Not today' });
  expect(run()).toBeUndefined();
  await pages.openRun(walk, ids[150]);
  page.refuseNext('Not today');
  await pages.extendRun(walk, 'older');
  expect(pages.loading.value.get(key)).toEqual({ isLoading: false, failure: 'Not today' });
  expect(run().ids).toEqual(ids.slice(110, 211));
});

test('A feed is fetched once for two simultaneous requests, and an empty one once', async () => {
  const before = page.calls.length;
  await Promise.all([pages.openRun(walk, 'newest'), pages.openRun(walk, 'newest')]);
  expect(page.calls).toHaveLength(before + 1);
  const empty = [...walk, { operator: 'search', operand: 'nothing' }];
  await pages.openRun(empty, 'first_unread');
  await pages.openRun(empty, 'first_unread');
  expect(page.calls).toHaveLength(before + 2);
  await pages.openRun(walk, ids[150]);
  const then = page.calls.length;
  await Promise.all([pages.extendRun(walk, 'older'), pages.extendRun(walk, 'older')]);
  expect(page.calls).toHaveLength(then + 1);
});

test('A feed connects to a fetched page although the message at its end was deleted meanwhile', async () => {
  const gap = narrowOf('gap');
  const own: number[] = [];
  for (let n = 0; n < 3; n++) own.push(await bo.send(room.channelId, 'gap', `gap ${n}`));
  await pages.openRun(gap, own[0]);
  const short = { ...runOf('gap'), ids: [own[1]], hasOldest: false, hasNewest: false };
  page.net.store.cache.value = { ...cache(), runs: new Map([[keyOfNarrow(gap), short]]) };
  page.interceptNext(async (_method, path) => {
    const reply = await fetch(`/api/v1${path}`);
    const body = await reply.json();
    const messages = body.messages.filter(({ id }: { id: number }) => id !== own[1]);
    return Response.json({ ...body, messages });
  });
  await pages.extendRun(gap, 'older');
  expect(runOf('gap').ids).toEqual([own[0], own[1]]);
});

test('The feed on the screen is fetched again around its place, and none if there is none', async () => {
  expect(await pages.fetchShown()).toBeUndefined();
  const hide = pages.show({ narrow: walk, placeOf: () => ({ messageId: ids[100], offsetPx: 3 }) });
  expect(pages.shownNarrow()).toEqual(walk);
  const fetched = await pages.fetchShown();
  expect(fetched.runs.get(key)).toMatchObject({
    ids: ids.slice(40, 161),
    hasOldest: false,
    hasNewest: false,
  });
  expect(fetched.byId.size).toBe(121);
  page.refuseNext('Not today');
  expect(await pages.fetchShown()).toBeUndefined();
  const hideOther = pages.show({ narrow: [], placeOf: () => undefined });
  hide();
  expect(pages.shownNarrow()).toEqual([]);
  expect(await pages.fetchShown()).toBeUndefined();
  hideOther();
  expect(pages.shownNarrow()).toBeUndefined();
});

test('Topics of a channel are fetched once, and a single message by its id', async () => {
  await bo.send(room.channelId, 'baking', 'Rye');
  await bo.send(room.channelId, '', 'No topic');
  await pages.loadTopics(room.channelId);
  const before = page.calls.length;
  await pages.loadTopics(room.channelId);
  expect(page.calls).toHaveLength(before);
  expect(topicNames()).toEqual(expect.arrayContaining(['baking', '']));
  expect(await pages.findMessage(ids[7])).toMatchObject({ id: ids[7], content: `<p>step ${ids[7]}</p>` });
  expect(await pages.findMessage(1)).toBeUndefined();
  page.refuseNext('Not today');
  expect(await pages.findMessage(ids[8])).toBeUndefined();
  await pages.openRun(walk, ids[7]);
  const then = page.calls.length;
  expect(await pages.findMessage(ids[7])).toMatchObject({ id: ids[7] });
  expect(page.calls).toHaveLength(then);
});

test('A search on the screen adds new matches, and one in the background is fetched later', async () => {
  const soup = [{ operator: 'search', operand: 'soup' }];
  const bread = [{ operator: 'search', operand: 'bread' }];
  const first = await bo.send(room.channelId, 'lunch', 'soup and bread');
  await page.sees(() => cache().byId.has(first));
  await service.settle();
  const stop = matching.watchMatches();
  await pages.openRun(soup, 'newest');
  await pages.openRun(bread, 'newest');
  const of = (word: string) => cache().runs.get(`search:${word}`);
  expect(of('soup')).toMatchObject({ ids: [first], hasNewest: true });
  const hide = pages.show({ narrow: soup, placeOf: () => undefined });
  const other = await bo.send(room.channelId, 'lunch', 'salad');
  const second = await bo.send(room.channelId, 'lunch', 'more soup');
  await page.sees(() => of('soup').ids.includes(second));
  expect(of('soup').ids).toEqual([first, second]);
  expect(cache().byId.get(second).match_content).toContain('highlight');
  expect(cache().byId.has(other)).toBe(true);
  expect(of('bread')).toMatchObject({ ids: [first], hasNewest: false });
  page.refuseNext('Not today');
  await bo.send(room.channelId, 'lunch', 'no soup');
  await page.sees(() => !of('soup').hasNewest);
  hide();
  stop();
});

describe('Events while an answer is pending', () => {
  /** Lets the next answer wait until something was done, and the page has the last message of it. */
  function meanwhile(act: () => Promise<number>): void {
    page.interceptNext(async (_method, path) => {
      const reply = await fetch(`/api/v1${path}`);
      const last = await act();
      await page.sees(() => cache().byId.has(last));
      return reply;
    });
  }
  const idsOf = (topic: string) => runOf(topic)?.ids;

  test('Add a new message to the fetched feed, and apply to one that is edited or moved away', async () => {
    const stays = await bo.send(room.channelId, 'from', 'stays');
    meanwhile(async () => {
      const id = await bo.send(room.channelId, 'from', 'goes');
      await bo.patch(`/messages/${id}`, { topic: 'to', propagate_mode: 'change_one' });
      await bo.patch(`/messages/${stays}`, { content: 'edited' });
      return bo.send(room.channelId, 'from', 'last');
    });
    await pages.openRun(narrowOf('from'), 'newest');
    const texts = idsOf('from')?.map((id: number) => cache().byId.get(id).content);
    expect(texts).toEqual(['<p>edited</p>', '<p>last</p>']);
  });

  test('Remove a deleted message from the fetched feed', async () => {
    const gone = await bo.send(room.channelId, 'gone', 'goes');
    const kept = await bo.send(room.channelId, 'gone', 'stays');
    await pages.openRun(walk, 'newest');
    meanwhile(async () => {
      await service.owner.delete(`/messages/${gone}`);
      return bo.send(room.channelId, 'gone', 'after');
    });
    await pages.openRun(narrowOf('gone'), 'newest');
    expect(idsOf('gone')).toHaveLength(2);
    expect(idsOf('gone')).toContain(kept);
    expect(idsOf('gone')).not.toContain(gone);
  });

  test('Add a new topic to the fetched ones', async () => {
    meanwhile(() => bo.send(room.channelId, 'begun', 'now'));
    await pages.loadTopics(room.channelId);
    expect(topicNames()[0]).toBe('begun');
  });
});
