import { describe, expect, test } from 'vitest';
import { countTraffic } from '#shared/actions/channels/traffic.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { topicsOf } from '#tests/api/messages/message-changes.ts';
import type { Params } from '#tests/harness/client.ts';
import { interrupt, writes } from '#tests/harness/interruption.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const DAY_MS = 24 * 3600 * 1000;
const EVERYONE = 7;

const service = await startTestService();
const { owner } = service;
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

/** Does something with the newest message after it was sent, before its summary with this key is written. */
function beforeSummary(key: Key, act: (messageId: number) => Promise<unknown>) {
  return interrupt(service, { write: writes(key) }, async () => {
    const { body } = await owner.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    await act(body.messages.at(-1).id);
  });
}

describe('The summary of a topic', () => {
  test('Stays away if it is written after its only message has left', async () => {
    const channel = await createChannel(service, [owner, ada]);
    const key = channelKeys.topic(channel.channelId, 'a');
    const toTopicB = { topic: 'b', send_notification_to_new_thread: false };
    const moved = beforeSummary(key, (id) => owner.patch(`/messages/${id}`, toTopicB));
    const id = await ada.send(channel.channelId, 'a', 'hello');
    expect(moved.hasHappened()).toBe(true);
    expect(await topicsOf(ada, channel)).toEqual([{ name: 'b', max_id: id }]);
    await service.settle();
    service.advance(2 * DAY_MS);
    await countTraffic(service.services);
    expect(await service.services.table.find(key)).toBeUndefined();
  });

  test('Names the newest message left if a late one was deleted, and any that a sweep finds', async () => {
    const channel = await createChannel(service, [owner, ada]);
    const first = await ada.send(channel.channelId, 'a', 'first');
    const key = channelKeys.topic(channel.channelId, 'a');
    const deleted = beforeSummary(key, (id) => owner.delete(`/messages/${id}`));
    await ada.send(channel.channelId, 'a', 'second');
    expect(deleted.hasHappened()).toBe(true);
    expect(await topicsOf(ada, channel)).toEqual([{ name: 'a', max_id: first }]);
    await service.services.table.write({ kind: 'update', key, set: { maxMessageId: 0 } });
    await maintainLog(service.services);
    expect(await topicsOf(ada, channel)).toEqual([{ name: 'a', max_id: first }]);
  });
});

test('The summary of a conversation stays empty if it is written after its message was deleted', async () => {
  await owner.patch('/realm', { can_delete_own_message_group: { new: EVERYONE } });
  const key = userKeys.conversation(bo.userId, conversationKey([ada.userId, bo.userId]));
  const deleted = interrupt(service, { write: writes(key) }, async () => {
    const { body } = await ada.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect((await ada.delete(`/messages/${body.messages.at(-1).id}`)).status).toBe(200);
  });
  await ada.sendDirect([bo.userId], 'hello');
  expect(deleted.hasHappened()).toBe(true);
  const { snapshot } = await bo.register({ fetch_event_types: ['recent_private_conversations'] });
  const partners = snapshot.recent_private_conversations.flatMap(({ user_ids }: Params) => user_ids);
  expect(partners).not.toContain(ada.userId);
});
