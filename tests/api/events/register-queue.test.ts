import { describe, expect, test } from 'vitest';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { commit } from '#shared/log/commit.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { createBot } from '#tests/api/bots/bots.ts';
import { proves } from '#tests/conformance/proves.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { messageFor, moveLogTo } from '#tests/harness/log.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { pair } from '../messages/lists/message-lists.ts';

const service = await startTestService();
const ada = await createUser(service, 'Ada');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DAY_SECONDS = 24 * 3600;

describe('The reply of register', () => {
  test(
    'Always has the queue, its start, its timeouts and the versions under both names',
    proves(
      'register-queue.1',
      'register-queue.2',
      'register-queue.23',
      'register-queue.25',
      'register-queue.26',
      'register-queue.42',
    ),
    async () => {
      const { status, body } = await ada.post('/register', { fetch_event_types: [] });
      expect(status).toBe(200);
      expect(body).toEqual({
        result: 'success',
        msg: '',
        queue_id: expect.stringMatching(UUID),
        last_event_id: expect.any(Number),
        idle_queue_timeout_secs: 600,
        event_queue_longpoll_timeout_seconds: 90,
        service_version: '12.0',
        service_feature_level: 512,
        service_merge_base: '12.0',
        zulip_version: '12.0',
        zulip_feature_level: 512,
        zulip_merge_base: '12.0',
      });
    },
  );
});

describe('idle_queue_timeout', () => {
  test.each([
    [undefined, 600],
    [1, 1],
    ['mobile', DAY_SECONDS / 2],
    ['"mobile"', DAY_SECONDS / 2],
    [7 * DAY_SECONDS, 7 * DAY_SECONDS],
    [7 * DAY_SECONDS + 1, 7 * DAY_SECONDS],
    [Number.MAX_SAFE_INTEGER, 7 * DAY_SECONDS],
  ])(
    'Turns %s into a queue of %d seconds',
    proves('register-queue.15', 'register-queue.16', 'register-queue.24', 'register-queue.42'),
    async (idle_queue_timeout, seconds) => {
      const { body } = await ada.post('/register', { fetch_event_types: [], idle_queue_timeout });
      expect(body.idle_queue_timeout_secs).toBe(seconds);
    },
  );

  test.each([
    ['0', 'idle_queue_timeout is too small'],
    ['1.5', 'idle_queue_timeout is not an integer'],
    ['"600"', 'idle_queue_timeout is not an integer'],
    ['100000000000000000000', 'idle_queue_timeout is too large'],
  ])('Refuses %j', proves('register-queue.15'), async (idle_queue_timeout, msg) => {
    expectRefusal(await ada.post('/register', { fetch_event_types: [], idle_queue_timeout }), msg);
  });

  test('May have its older name, but not both', async () => {
    const params = { fetch_event_types: [], queue_lifespan_secs: 1200 };
    const { body } = await ada.post('/register', params);
    expect(body.idle_queue_timeout_secs).toBe(1200);
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
    const both = await ada.post('/register', { ...params, idle_queue_timeout: 1200 });
    const names = { var_name1: 'idle_queue_timeout', var_name2: 'queue_lifespan_secs' };
    const msg = "Can't decide between 'idle_queue_timeout' and 'queue_lifespan_secs' arguments";
    expectRefusal(both, msg, { code: 'REQUEST_CONFUSING_VAR', ...names });
  });
});

describe('A parameter of the wrong type is refused', () => {
  test.each([
    ['include_subscribers', 'maybe', 'Invalid include_subscribers'],
    ['presence_history_limit_days', 'fortnight', 'presence_history_limit_days is not valid JSON'],
    ['client_capabilities', '[]', 'client_capabilities is not a dict'],
    [
      'client_capabilities',
      '{"archived_channels":"true"}',
      'client_capabilities["archived_channels"] is not a boolean',
    ],
    ['narrow', '{}', 'narrow is not a list'],
    ['narrow', '[["is","dm"],{"operator":"is","operand":"dm"}]', 'narrow[1] is not a list'],
    ['narrow', '[["is","dm","x"]]', 'narrow[0] is too large'],
    ['narrow', '[["is"]]', 'narrow[0] is too small'],
  ])(
    '%s=%s',
    proves('register-queue.6', 'register-queue.9', 'register-queue.13', 'register-queue.17'),
    async (name, value, msg) => {
      expectRefusal(await ada.post('/register', { [name]: value }), msg);
    },
  );

  test('Unknown client capabilities are ignored', proves('register-queue.17'), async () => {
    const client_capabilities = { telepathy: true, levitation: 'sometimes', empty_topic_name: true };
    const queue = await ada.listen({ event_types: ['message'], client_capabilities });
    await ada.send(await ada.subscribe('abilities'), '', 'x');
    expect((await queue.drain()).at(-1)).toMatchObject({ message: { subject: '' } });
  });
});

describe('The narrow of a queue', () => {
  const refuse = async (narrow: [string, string][], msg: string) =>
    expectRefusal(await ada.post('/register', { narrow }), msg);

  test.each(['dm', 'has', 'search', '-channel', 'Channel', ''])('Refuses the operator %j', (operator) =>
    refuse([pair('topic', 'x'), pair(operator, 'x')], `Operator ${operator} not supported.`),
  );

  test.each(['DM', 'nonsense'])('Refuses the operand %j of is', (operand) =>
    refuse([pair('is', operand)], `Operand ${operand} not supported.`),
  );

  test('Limits the number of terms and the length of operands', async () => {
    const narrowOf = (terms: number, length: number) =>
      Array.from({ length: terms }, () => pair('topic', 'x'.repeat(length)));
    await ada.listen({ narrow: narrowOf(20, 500) });
    await refuse(narrowOf(21, 1), 'narrow has too many terms (limit: 20)');
    await refuse(narrowOf(1, 500_000), 'narrow[0][1] is too long (limit: 500 characters)');
  });
});

describe('Requesting messages of all public channels', () => {
  test('Fails for guests', async () => {
    const guest = await createUser(service, 'Guest', 600);
    const reply = await guest.post('/register', { all_public_streams: true });
    expectRefusal(reply, 'User not authorized for this query');
    expect((await guest.post('/register', { all_public_streams: false })).status).toBe(200);
  });

  test('Has no effect for a bot that has become a guest: it registers, and gets a guest’s messages', async () => {
    const bot = await createBot(ada, { default_all_public_streams: true });
    const channelId = await ada.subscribe('not for guests');
    const before = await bot.listen({ event_types: ['message'] });
    await service.setRole(bot.email, 600);
    const after = await bot.listen({ event_types: ['message'] });
    await ada.send(channelId, 'topic', 'news');
    expect(await after.drain()).toEqual([]);
    expect(await before.drain()).toEqual([]);
  });
});

const NOTIFICATION_BOT_ID = 1;

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
