import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import {
  archiveChannel,
  createChannel,
  createUser,
  createUsers,
  drainMessages,
  idsOf,
  listenAll,
} from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
const room = await createChannel(service, [ada, bo]);
const everything = await listenAll([ada, bo], { event_types: ['message'] });

const channelMessage = { type: 'channel', topic: 'topic', content: 'hi' };
const directMessage = { type: 'direct', content: 'hi' };

/** Refused, and nothing was sent. */
async function refuse(sender: Client, params: Params, msg: string, refusal: Params = {}): Promise<void> {
  await Promise.all(everything.map((queue) => queue.drain()));
  expectRefusal(await sender.post('/messages', params), msg, refusal);
  for (const queue of everything) expect(await queue.drain()).toEqual([]);
}

/** The message is sent, and Ada gets it. */
async function sends(sender: Client, params: Params): Promise<void> {
  const queue = await ada.listen({ event_types: ['message'] });
  const { body } = await sender.post('/messages', params);
  expect(idsOf(await drainMessages(queue))).toEqual([body.id]);
}

const noChannel = (extra: Params) => ({ code: 'STREAM_DOES_NOT_EXIST', ...extra });

describe('A message is refused without', () => {
  test('A channel, people or topic', async () => {
    await refuse(ada, channelMessage, 'Missing channel');
    await refuse(ada, { ...channelMessage, to: '' }, 'Missing channel');
    await refuse(ada, directMessage, 'Message must have recipients');
    const { topic: _topic, ...topicless } = channelMessage;
    await refuse(ada, { ...topicless, to: room.name }, 'Missing topic');
  });

  test('A choice between topic and subject', async () => {
    const params = { ...channelMessage, to: room.name, subject: 'topic' };
    const refusal = { code: 'REQUEST_CONFUSING_VAR', var_name1: 'topic', var_name2: 'subject' };
    await refuse(ada, params, "Can't decide between 'topic' and 'subject' arguments", refusal);
  });
});

test.each(['email', 'Channel', '', 'null', '"direct"'])(
  'A message of the type %j is refused',
  async (type) => {
    await refuse(ada, { ...channelMessage, to: room.name, type }, 'Invalid type');
  },
);

describe('A channel is refused', () => {
  test('If it does not exist, with the name or id of the request', async () => {
    const text = { ...channelMessage, to: 'no such room' };
    await refuse(ada, text, "Channel 'no such room' does not exist", noChannel({ stream: 'no such room' }));
    const id = { ...channelMessage, to: 99_999 };
    await refuse(ada, id, "Channel with ID '99999' does not exist", noChannel({ stream_id: 99_999 }));
    const long = 'x'.repeat(5_000);
    await refuse(ada, { ...text, to: long }, `Channel '${long}' does not exist`, noChannel({ stream: long }));
  });

  test('If there are several or none', async () => {
    await refuse(ada, { ...channelMessage, to: [room.channelId, 1] }, 'Cannot send to multiple channels');
    await refuse(ada, { ...channelMessage, to: [room.name, room.name] }, 'Cannot send to multiple channels');
    await refuse(ada, { ...channelMessage, to: [] }, 'Expected exactly one channel');
  });

  test.each(['1.5', '[1.5]', '[true]', '[null]', '[["x"]]', '[{"id":1}]', '100000000000000000000'])(
    'Given as %s',
    async (to) => {
      await refuse(ada, { ...channelMessage, to }, 'Invalid data type for channel');
    },
  );

  test('If it is private, like a missing one, to members and guests', async () => {
    const { name, channelId } = await createChannel(service, [ada], { invite_only: true });
    const [text, id] = [name, channelId].map((to) => ({ ...channelMessage, to }));
    for (const stranger of [bo, guest]) {
      await refuse(stranger, text ?? {}, `Channel '${name}' does not exist`, noChannel({ stream: name }));
      const msg = `Channel with ID '${channelId}' does not exist`;
      await refuse(stranger, id ?? {}, msg, noChannel({ stream_id: channelId }));
    }
  });

  test('If it is private, to people who left, and if it is public, to guests who are not in it', async () => {
    const { name } = await createChannel(service, [ada, bo], { invite_only: true });
    await bo.delete('/users/me/subscriptions', { subscriptions: [name] });
    for (const [sender, to] of [
      [bo, name],
      [guest, room.name],
    ] as const)
      await refuse(
        sender,
        { ...channelMessage, to },
        `Channel '${to}' does not exist`,
        noChannel({ stream: to }),
      );
  });

  test('If it is private, to administrators outside, and if it is archived', async () => {
    const secret = await createChannel(service, [ada], { invite_only: true });
    const archived = await createChannel(service, [ada]);
    await archiveChannel(service, archived);
    for (const [sender, { name }] of [
      [service.owner, secret],
      [ada, archived],
    ] as const)
      await refuse(sender, { ...channelMessage, to: name }, `Not authorized to send to channel '${name}'`);
  });

  test('Outside the group that may post there', async () => {
    const { name } = await createChannel(service, [service.owner, ada], { can_send_message_group: 3 });
    const params = { ...channelMessage, to: name };
    await refuse(ada, params, 'You do not have permission to post in this channel.');
    await sends(service.owner, params);
    const group = { direct_members: [ada.userId], direct_subgroups: [] };
    const mine = await createChannel(service, [ada, bo], { can_send_message_group: group });
    await refuse(bo, { ...params, to: mine.name }, 'You do not have permission to post in this channel.');
    await sends(ada, { ...params, to: mine.name });
  });
});

describe('A topic is refused', () => {
  test.each(['', '(no topic)', 'general chat'])('If it is empty and must not be: %j', async (topic) => {
    const { name } = await createChannel(service, [ada], { topics_policy: 'disable_empty_topic' });
    const msg = 'Sending messages to the general chat is not allowed in this channel.';
    await refuse(ada, { ...channelMessage, to: name, topic }, msg);
    await sends(ada, { ...channelMessage, to: name });
  });

  test('If only the empty one is allowed', async () => {
    const { name } = await createChannel(service, [ada], { topics_policy: 'empty_topic_only' });
    const params = { ...channelMessage, to: name };
    await refuse(ada, params, 'Only the general chat topic is allowed in this channel.');
    await sends(ada, { ...params, topic: '' });
  });

  test('If it is new and the caller may not start topics', async () => {
    const { name } = await createChannel(service, [service.owner, ada], { can_create_topic_group: 3 });
    const params = { ...channelMessage, to: name, topic: 'Plans' };
    await refuse(ada, params, 'You do not have permission to create new topics in this channel.');
    await sends(service.owner, params);
    await sends(ada, { ...params, topic: 'PLANS' });
  });
});

describe('People are refused', () => {
  test('If there are none', async () => {
    for (const to of ['[]', '', ',', ' , ', '[""]'])
      await refuse(ada, { ...directMessage, to }, 'Message must have recipients');
  });

  test('If they do not exist', async () => {
    for (const id of [99_999, 0, -1, 2_147_483_648])
      await refuse(ada, { ...directMessage, to: [bo.userId, id] }, `Invalid user ID ${id}`);
    for (const email of ['nobody@example.com', 'nobody', `${'x'.repeat(400)}@example.com`])
      await refuse(ada, { ...directMessage, to: `${bo.email},${email}` }, `Invalid email '${email}'`);
  });

  test('If they are deactivated, by id or address', async () => {
    const [gone] = await createUsers(service, 'Gone');
    await service.deactivate(gone);
    for (const to of [[gone.userId], [bo.userId, gone.userId], [gone.email]])
      await refuse(ada, { ...directMessage, to }, `'${gone.email}' is no longer using this service.`);
  });

  test('If ids and addresses are mixed', async () => {
    const msg = 'Recipient lists may contain emails or user IDs, but not both.';
    await refuse(ada, { ...directMessage, to: [bo.userId, ada.email] }, msg);
  });

  test.each(['1.5', '[1.5]', '[true]', '[null]', '[[1]]', '[{"id":1}]', '{"a":1}', 'null', 'true'])(
    'Given as %s',
    async (to) => {
      await refuse(ada, { ...directMessage, to }, 'Invalid data type for recipients');
    },
  );
});
