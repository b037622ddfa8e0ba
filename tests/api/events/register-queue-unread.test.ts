import { describe, expect, test } from 'vitest';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { commit } from '#shared/log/commit.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { proves } from '#tests/conformance/proves.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { messageFor, moveLogTo } from '#tests/harness/log.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const NOTIFICATION_BOT_ID = 1;

const service = await startTestService();

async function fetchData(client: Client, types: string[], params: Params = {}) {
  return (await client.register({ fetch_event_types: types, ...params })).snapshot;
}

describe('Unread messages in register', () => {
  const types = ['message', 'update_message_flags'];

  test('Come by topic, person and group, with the newest message of all', async () => {
    const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
    const { name, channelId } = await createChannel(service, [ada, bo, cy]);
    const before = await fetchData(cy, types);
    const first = await ada.send(name, 'b topic', '1');
    const second = await bo.send(name, 'A topic', '2');
    const third = await bo.send(name, 'B TOPIC', '3');
    const direct = await ada.sendDirect([cy.userId], '4');
    const group = await ada.sendDirect([cy.userId, bo.userId], '5');
    const own = await cy.sendDirect([cy.userId], '6');
    await cy.send(name, 'b topic', 'read', { read_by_sender: true });
    const after = await fetchData(cy, types);
    expect(after.max_message_id).toBeGreaterThan(own);
    const mine = ({ stream_id }: { stream_id: number }) => stream_id === channelId;
    expect(after.unread_msgs.streams.filter(mine)).toEqual([
      { stream_id: channelId, topic: 'A topic', unread_message_ids: [second] },
      { stream_id: channelId, topic: 'B TOPIC', unread_message_ids: [first, third] },
      ...before.unread_msgs.streams.filter(mine),
    ]);
    expect(after.unread_msgs.pms).toEqual([
      ...before.unread_msgs.pms,
      { other_user_id: ada.userId, sender_id: ada.userId, unread_message_ids: [direct] },
      { other_user_id: cy.userId, sender_id: cy.userId, unread_message_ids: [own] },
    ]);
    const everyone = [ada, bo, cy].map(({ userId }) => userId).join(',');
    expect(after.unread_msgs.huddles).toEqual([{ user_ids_string: everyone, unread_message_ids: [group] }]);
    expect(after.unread_msgs.count).toBe(before.unread_msgs.count + 6);
    expect(after.unread_msgs).toMatchObject({ mentions: [], old_unreads_missing: false });
  });

  test('Exclude messages from before the subscription, and messages of others', async () => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    const { name } = await createChannel(service, [ada]);
    await ada.send(name, 'old', 'before');
    await ada.sendDirect([ada.userId], 'a note');
    const before = await fetchData(bo, types);
    await bo.subscribe(name);
    const after = await fetchData(bo, types);
    expect(after.unread_msgs).toEqual(before.unread_msgs);
    expect(after.max_message_id).toBe(before.max_message_id);
  });

  test('Have the display name of the empty topic for clients that do not support it', async () => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    const { name, channelId } = await createChannel(service, [ada, bo]);
    await ada.send(name, '', 'nowhere in particular');
    const topics = async (params: Params) =>
      (await fetchData(bo, types, params)).unread_msgs.streams
        .filter(({ stream_id }: { stream_id: number }) => stream_id === channelId)
        .map(({ topic }: { topic: string }) => topic);
    expect(await topics({})).toContain('general chat');
    expect(await topics({ client_capabilities: { empty_topic_name: true } })).toContain('');
  });
});

test('Recent conversations come newest first', proves('register-queue.27', 'register-queue.28'), async () => {
  const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
  const note = await ada.sendDirect([ada.userId], 'to myself');
  const group = await bo.sendDirect([ada.userId, cy.userId], 'to both');
  await ada.sendDirect([bo.userId], 'to Bo');
  const answer = await bo.sendDirect([ada.userId], 'back');
  await bo.sendDirect([cy.userId], 'not for Ada');
  const { recent_private_conversations } = await fetchData(ada, ['recent_private_conversations']);
  expect(recent_private_conversations.slice(0, 3)).toEqual([
    { max_message_id: answer, user_ids: [bo.userId] },
    { max_message_id: group, user_ids: [bo.userId, cy.userId] },
    { max_message_id: note, user_ids: [] },
  ]);
  expect(recent_private_conversations).toHaveLength(4);
});

test('Recent conversations include one whose writer crashed before noting it, also if all is read', async () => {
  const [dee] = await createUsers(service, 'Dee');
  await dee.sendDirect([service.owner.userId], 'noted');
  const unnoted = await commit(service.services, await messageFor(service.services, dee.userId, 'not noted'));
  await dee.post('/mark_all_as_read');
  for (const types of [['recent_private_conversations'], undefined]) {
    const { snapshot } = await dee.register(types && { fetch_event_types: types });
    const newest = { max_message_id: unnoted, user_ids: [NOTIFICATION_BOT_ID] };
    expect(snapshot.recent_private_conversations[0]).toEqual(newest);
  }
  const { unread_msgs } = await fetchData(dee, ['message', 'update_message_flags']);
  expect(unread_msgs.pms).toEqual([]);
});

test('Recent conversations contain the newest with up to 40 000 people in all, five more for each', async () => {
  const { table, ids } = service.services;
  const [ada] = await createUsers(service, 'Ada');
  const people = Array.from({ length: 994 }, (_, n) => 1_000_000 + n);
  const position = await readCounter(table);
  await moveLogTo(service.services, position + 41);
  const conversations = Array.from({ length: 41 }, (_, n) => {
    const userIds = [ada.userId, ...people.map((id) => id + 1_000 * n)];
    const key = userKeys.conversation(ada.userId, conversationKey(userIds));
    return { ...key, userIds, maxMessageId: position + 1 + n };
  });
  const writes = conversations.map((item): Write => ({ kind: 'put', item }));
  await table.transact(writes, ids.writeId());
  const { recent_private_conversations } = await fetchData(ada, ['recent_private_conversations']);
  const newest = conversations.slice(1).toReversed();
  expect(recent_private_conversations).toEqual(
    newest.map(({ userIds, maxMessageId }) => ({ max_message_id: maxMessageId, user_ids: userIds.slice(1) })),
  );
});

test('Unread messages above 50 000 are the newest with all mentions, and a flag for the older ones', async () => {
  const [eve, ada] = await createUsers(service, 'Eve', 'Ada');
  const room = await createChannel(service, [eve, ada]);
  const place = { channelId: room.channelId, channelName: room.name };
  await ada.send(room.name, 'topic', `@**|${eve.userId}** too long ago`);
  await fillLog(service.services, place, 50_000, 30);
  const mention = await ada.send(room.name, 'topic', `@**|${eve.userId}**`);
  const { unread_msgs: unread } = await fetchData(eve, ['message', 'update_message_flags']);
  expect(unread).toMatchObject({ count: 50_000, mentions: [mention], old_unreads_missing: true });
  await eve.post('/mark_all_as_read');
  const { unread_msgs: read } = await fetchData(eve, ['message', 'update_message_flags']);
  expect(read).toMatchObject({ count: 0, streams: [], mentions: [], old_unreads_missing: false });
});
