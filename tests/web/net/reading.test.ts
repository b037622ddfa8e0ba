import { expect, test } from 'vitest';
import { topicNarrow } from '#web/state/narrow.ts';
import { openRoom } from './room.ts';

const { ada, bo, room, page } = await openRoom();
const { presence, reading } = page.net;

const server = () => page.net.store.server.value;
const unread = (topic: string): number[] =>
  server().unread_msgs.streams.find((entry: { topic: string }) => entry.topic === topic)
    ?.unread_message_ids ?? [];
const isReadAt = async (id: number) => (await ada.get(`/messages/${id}`)).body.message.flags.includes('read');
const flagged = () => page.calls.filter(({ call }) => call === 'POST /messages/flags');

async function sendSome(topic: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await bo.send(room.channelId, topic, `${topic} ${n}`));
  await page.sees(() => unread(topic).length === count);
  return ids;
}

test('Read messages change on the page at once, and at the service a moment later, in one call', async () => {
  const [first, second, third] = await sendSome('lunch', 3);
  const before = flagged().length;
  reading.markRead([first]);
  reading.markRead([first, second]);
  expect(unread('lunch')).toEqual([third]);
  await page.sees(() => flagged().length > before);
  await expect.poll(() => isReadAt(second ?? 0), { timeout: 60_000 }).toBe(true);
  expect(flagged()).toHaveLength(before + 1);
  expect(flagged().at(-1)?.params).toEqual({ messages: `[${first},${second}]`, op: 'add', flag: 'read' });
  expect(await isReadAt(third ?? 0)).toBe(false);
  reading.markRead([]);
  reading.markRead([third]);
  await expect.poll(() => isReadAt(third ?? 0), { timeout: 60_000 }).toBe(true);
});

test('A whole narrow is marked as read, or from a message on as unread, and a refusal causes a notice', async () => {
  const ids = await sendSome('dinner', 3);
  const dinner = topicNarrow(room.channelId, 'dinner');
  await reading.markNarrow(dinner, 'add', 'oldest');
  await page.sees(() => unread('dinner').length === 0);
  await reading.markNarrow(dinner, 'remove', ids[1]);
  await page.sees(() => unread('dinner').length === 2);
  expect(unread('dinner')).toEqual(ids.slice(1));
  page.refuseNext('Not today');
  await reading.markNarrow(dinner, 'add', 'oldest');
  expect(page.notice()?.text).toBe('Couldn’t mark as read: Not today');
  expect(unread('dinner')).toEqual(ids.slice(1));
});

test('A narrow that takes several calls is marked from the end of the call before', async () => {
  const asked: Record<string, string>[] = [];
  page.network = (_method, _path, init) => {
    asked.push(Object.fromEntries(init.body as URLSearchParams));
    const isLast = asked.length === 3;
    return Response.json({ last_processed_id: asked.length * 10, found_newest: isLast });
  };
  await reading.markNarrow([], 'add', 5);
  page.network = undefined;
  const anchors = asked.map(({ anchor, include_anchor }) => `${anchor} ${include_anchor}`);
  expect(anchors).toEqual(['5 true', '10 false', '20 false']);
  expect(asked[0]).toMatchObject({
    ...{ num_before: '0', num_after: '1000', op: 'add', flag: 'read' },
    narrow: '[{"operator":"is","operand":"unread","negated":false}]',
  });
});

test('A typing person is shown until they stop or send', async () => {
  const stop = presence.watchTyping();
  const lunch = { type: 'stream', channelId: room.channelId, topic: 'Lunch' };
  const direct = { type: 'private', userIds: [bo.userId] };
  const writers = (conversation: object) => [
    ...(presence.typists.value.get(presence.typingKey(conversation))?.keys() ?? []),
  ];
  const notifyTyping = (op: string) =>
    bo.post('/typing', { op, type: 'stream', stream_id: room.channelId, topic: 'lunch' });
  await notifyTyping('start');
  await page.sees(() => writers(lunch).length === 1);
  expect(writers(lunch)).toEqual([bo.userId]);
  await notifyTyping('stop');
  await page.sees(() => writers(lunch).length === 0);
  await bo.post('/typing', { op: 'start', type: 'direct', to: [ada.userId] });
  await page.sees(() => writers(direct).length === 1);
  await bo.sendDirect([ada.userId], 'Hello');
  await page.sees(() => writers(direct).length === 0);
  stop();
});
