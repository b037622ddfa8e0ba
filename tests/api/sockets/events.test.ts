import { describe, expect, test } from 'vitest';
import { fillLog } from '#tests/harness/backlog.ts';
import type { EventQueue } from '#tests/harness/client.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { openText, TestSocket, withSocket } from './test-socket.ts';

describe.each([
  ['in the memory of the process', false],
  ['in the table, as on AWS', true],
])('A socket whose connection is kept %s', async (_where, isInTable) => {
  const service = await startTestService({}, { sockets: { isInTable } });
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const room = await createChannel(service, [ada, bo]);

  const request = async (queue: EventQueue) =>
    (await TestSocket.connect(service.url)).request(openText(queue));
  const say = (content: string) => ada.send(room.channelId, 'topic', content);
  /** Waits until a message has come. */
  const untilTold = (socket: TestSocket, content: string) =>
    socket.until(() => socket.events.some(({ message }) => message?.content === content));

  test('Sends the events of its queue with the same ids as a poll', async () => {
    const queue = await withSocket(bo);
    const socket = await TestSocket.open(queue);
    await say('one');
    await ada.patch(`/streams/${room.channelId}`, { description: 'changed' });
    await ada.sendDirect([bo.userId], 'two');
    await ada.post('/typing', { type: 'direct', op: 'start', to: [bo.userId] });
    const color = { stream_id: room.channelId, property: 'color', value: '#ffffff' };
    await bo.post('/users/me/subscriptions/properties', { subscription_data: [color] });
    await say('end');
    await untilTold(socket, 'end');
    const polled = await queue.drain();
    expect(socket.events).toEqual(polled);
    expect(polled.length).toBeGreaterThan(5);
  });

  test('Starts with the unsent events of its queue', async () => {
    const queue = await withSocket(bo);
    await say('before');
    const opened = await request(queue);
    expect(opened).toMatchObject({ op: 'opened', events: await queue.drain() });
    expect(opened.events).toHaveLength(1);
  });

  test('Sends nothing that its owner may not see', async () => {
    const socket = await TestSocket.open(await withSocket(bo));
    await ada.sendDirect([ada.userId], 'a note to oneself');
    await say('for both');
    await untilTold(socket, 'for both');
    expect(socket.events.map(({ message }) => message.content)).toEqual(['for both']);
  });

  test('Sends everything once after it was cut off and returns', async () => {
    const queue = await withSocket(bo);
    const first = await TestSocket.open(queue);
    await say('heard');
    await untilTold(first, 'heard');
    first.kill();
    await say('missed');
    queue.lastEventId = first.events.at(-1)!.id;
    const second = await TestSocket.open(queue);
    await say('heard again');
    await untilTold(second, 'heard again');
    expect(second.events.map(({ message }) => message.content)).toEqual(['missed', 'heard again']);
  });

  test('Can be replaced by polls at any time', async () => {
    const queue = await withSocket(bo);
    const socket = await TestSocket.open(queue);
    await say('by socket');
    await untilTold(socket, 'by socket');
    queue.lastEventId = socket.events.at(-1)!.id;
    await say('by poll');
    expect((await queue.drain()).map(({ message }) => message.content)).toEqual(['by poll']);
  });

  test('Keeps its queue alive, whatever its polls store', async () => {
    const queue = await withSocket(bo, { idle_queue_timeout: 30 });
    await TestSocket.open(queue);
    service.advance(61_000);
    await queue.poll({ dont_block: true });
    service.advance(3_600_000);
    expect(await queue.drain()).toEqual([]);
    service.advance(2 * 3_600_000);
    expect((await queue.poll({ dont_block: true })).body.code).toBe('BAD_EVENT_QUEUE_ID');
  });

  test('Moves the cursor of its queue when its client acknowledges', async () => {
    const queue = await withSocket(bo);
    const socket = await TestSocket.open(queue);
    await say('acknowledged');
    await untilTold(socket, 'acknowledged');
    const { id } = socket.events.at(-1)!;
    const { token } = openText(queue);
    socket.send({ op: 'ack', token, last_event_id: id, position: socket.texts.at(-1)!.position });
    await socket.request({ op: 'ping' });
    const refused = await queue.poll({ dont_block: true, last_event_id: id - 1 });
    expect(refused.body.msg).toContain('has already been pruned');
  });

  test('Sends its client to polls if it is far behind', async () => {
    const { channelId, name: channelName } = await createChannel(service, [ada]);
    const queue = await withSocket(bo);
    await fillLog(service.services, { channelId, channelName }, 510);
    expect(await request(queue)).toEqual({ op: 'poll' });
    expect(await queue.drain()).toEqual([]);
    expect(await request(queue)).toMatchObject({ op: 'opened' });
  });

  test('Sends its client to polls for events that are too large', async () => {
    const queue = await withSocket(bo);
    await Promise.all(Array.from({ length: 20 }, () => say('é'.repeat(9_000))));
    expect(await request(queue)).toEqual({ op: 'poll' });
    expect(await queue.drain()).toHaveLength(20);
  });
});
