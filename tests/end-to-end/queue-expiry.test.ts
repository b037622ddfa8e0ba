import { expect, test } from 'vitest';
import { expectBadQueue } from '#tests/harness/refusal.ts';
import { createChannel, createUsers, drainMessages, idsOf } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';

const service = await startTestService();

test('A client with an expired queue registers again and gets everything that it missed', async () => {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const { name } = await createChannel(service, [ada, bo]);
  const queue = await bo.register();
  await ada.send(name, 'topic', 'seen live');
  const seen = applyEvents(queue.snapshot, await queue.drain());

  service.advance(12 * 60_000);
  const missed = [await ada.send(name, 'topic', 'missed'), await ada.sendDirect([bo.userId], 'missed too')];
  expectBadQueue(await queue.poll(), queue.queueId);

  const again = await bo.register();
  expect(again.queueId).not.toBe(queue.queueId);
  expect(again.snapshot.max_message_id).toBe(missed.at(-1));
  expect(again.snapshot.unread_msgs.count).toBe(seen.unread_msgs.count + 2);
  const { body } = await bo.get('/messages', { anchor: seen.max_message_id, num_before: 0, num_after: 10 });
  expect(idsOf(body.messages)).toEqual([seen.max_message_id, ...missed]);
  const live = await ada.send(name, 'topic', 'live again');
  expect(idsOf(await drainMessages(again))).toEqual([live]);
});
