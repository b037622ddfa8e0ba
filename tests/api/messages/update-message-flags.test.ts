import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectEquation } from '#tests/harness/equation.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { flag, flagEvents, flagsFor, unreadOf } from './flags.ts';

let service: TestService;
let ada: Client;
let bo: Client;
let guest: Client;

beforeAll(async () => {
  service = await startTestService();
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  guest = await createUser(service, 'Guest', roles.guest);
});
afterAll(() => service.stop());

const added = (name: string, messages: number[]) => ({
  type: 'update_message_flags',
  op: 'add',
  operation: 'add',
  flag: name,
  messages,
  all: false,
});

describe('marking as read', () => {
  test('shows in flags, in register and in an event to all queues of the reader and nobody else', async () => {
    const { name } = await createChannel(service, [ada, bo]);
    const [one, two] = [await ada.send(name, 'a', '1'), await ada.send(name, 'a', '2')];
    expect(await flagsFor(bo, one)).toEqual([]);
    const [first, second, others] = await Promise.all([bo.register(), bo.register(), ada.register()]);
    const { body } = await flag(bo, [two, one, one], 'add', 'read');
    expect(body.messages).toEqual([two, one, one]);
    expect(body.ignored_because_not_subscribed_channels).toEqual([]);
    for (const queue of [first, second])
      expect(flagEvents(await queue.drain())).toEqual([added('read', [one, two])]);
    expect(flagEvents(await others.drain())).toEqual([]);
    expect(await flagsFor(bo, one)).toEqual(['read']);
    expect(await unreadOf(bo)).not.toContain(one);
  });

  test('tells and writes nothing where nothing changes', async () => {
    const { name } = await createChannel(service, [ada, bo]);
    const id = await ada.send(name, 'a', '1');
    await flag(bo, [id], 'add', 'read');
    const queue = await bo.register();
    service.meter.reset();
    await flag(bo, [id], 'add', 'read');
    await flag(bo, [], 'add', 'read');
    expect(service.meter.write).toBe(0);
    expect(await queue.drain()).toEqual([]);
  });

  test('passes over messages that the caller cannot read or that do not exist', async () => {
    const { name } = await createChannel(service, [ada], { invite_only: true });
    const secret = await ada.send(name, 'a', 'secret');
    const known = await ada.sendDirect([bo.userId], 'for Bo');
    const queue = await bo.register();
    const ids = [secret, known, 2_147_483_647, -5, 0, Number.MAX_SAFE_INTEGER];
    const { body } = await flag(bo, ids, 'add', 'read');
    expect(body.messages).toEqual(ids);
    expect(flagEvents(await queue.drain())).toEqual([added('read', [known])]);
  });
});

describe('marking as unread', () => {
  test('says where the messages are, in the words that the client understands', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo, guest]);
    const inTopic = await ada.send(name, '', '1', { read_by_sender: true });
    const direct = await ada.sendDirect([bo.userId], '2');
    const group = await ada.sendDirect([guest.userId, bo.userId], '3');
    const note = await bo.sendDirect([bo.userId], '4', { read_by_sender: true });
    await bo.post('/mark_all_as_read');
    const plain = await bo.register();
    const modern = await bo.register({ client_capabilities: { empty_topic_name: true } });
    await flag(bo, [note, inTopic, group, direct], 'remove', 'read');
    const event = (topic: string) => ({
      type: 'update_message_flags',
      op: 'remove',
      operation: 'remove',
      flag: 'read',
      messages: [inTopic, direct, group, note],
      all: false,
      message_details: {
        [inTopic]: { type: 'stream', stream_id: channelId, topic, unmuted_stream_msg: true },
        [direct]: { type: 'private', user_ids: [ada.userId] },
        [group]: { type: 'private', user_ids: [ada.userId, guest.userId] },
        [note]: { type: 'private', user_ids: [] },
      },
    });
    expect(flagEvents(await plain.drain())).toEqual([event('general chat')]);
    expect(flagEvents(await modern.drain())).toEqual([event('')]);
    expect(await unreadOf(bo)).toEqual([inTopic, direct, group, note]);
    for (const id of [inTopic, direct, group, note]) expect(await flagsFor(bo, id)).toEqual([]);
  });

  test('says whether the channel is muted, and a muted one is listed but not counted', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo]);
    const id = await ada.send(name, 'a', '1');
    await bo.post('/mark_all_as_read');
    await service.services.table.write({
      kind: 'update',
      key: keys.subscription(bo.userId, channelId),
      set: { isMuted: true },
    });
    const queue = await bo.register();
    await flag(bo, [id], 'remove', 'read');
    const [event] = flagEvents(await queue.drain());
    expect(event?.message_details[id].unmuted_stream_msg).toBe(false);
    const { unread_msgs } = (await bo.register()).snapshot;
    expect(unread_msgs.count).toBe(0);
    expect(unread_msgs.streams).toEqual([{ stream_id: channelId, topic: 'a', unread_message_ids: [id] }]);
  });

  test('works for what one sent, and for what came before one subscribed', async () => {
    const { name } = await createChannel(service, [ada]);
    const before = await ada.send(name, 'a', 'before');
    await bo.subscribe(name);
    const own = await bo.send(name, 'a', 'own', { read_by_sender: true });
    expect(await flagsFor(bo, before)).toEqual(['read', 'historical']);
    expect(await flagsFor(bo, own)).toEqual(['read']);
    await flag(bo, [before, own], 'remove', 'read');
    expect(await flagsFor(bo, before)).toEqual(['historical']);
    expect(await flagsFor(bo, own)).toEqual([]);
    expect(await unreadOf(bo)).toEqual(expect.arrayContaining([before, own]));
    await flag(bo, [before, own], 'add', 'read');
    expect(await unreadOf(bo)).not.toEqual(expect.arrayContaining([before]));
    expect(await flagsFor(bo, own)).toEqual(['read']);
  });

  test('is ignored in channels to which the caller is not subscribed', async () => {
    const { name, channelId } = await createChannel(service, [ada]);
    const left = await createChannel(service, [ada, bo]);
    const ids = [await ada.send(name, 'a', '1'), await ada.send(left.name, 'a', '2')];
    await bo.delete('/users/me/subscriptions', { subscriptions: [left.name] });
    await service.settle();
    const queue = await bo.register();
    const { body } = await flag(bo, ids, 'remove', 'read');
    expect(body.ignored_because_not_subscribed_channels).toEqual(
      [channelId, left.channelId].sort((a, b) => a - b),
    );
    expect(await queue.drain()).toEqual([]);
    expect((await flag(bo, ids, 'add', 'read')).body.ignored_because_not_subscribed_channels).toEqual([]);
  });

  test('tells nothing of private channels that the caller may not know of', async () => {
    const { name } = await createChannel(service, [ada], { invite_only: true });
    const secret = await ada.send(name, 'a', 'secret');
    for (const id of [secret, 2_147_483_646]) {
      const { body } = await flag(bo, [id], 'remove', 'read');
      expect(body.ignored_because_not_subscribed_channels).toEqual([]);
    }
  });

  test('ends when the reader leaves the channel', async () => {
    const { name } = await createChannel(service, [ada]);
    const before = await ada.send(name, 'a', 'before');
    await bo.subscribe(name);
    const received = await ada.send(name, 'a', 'received');
    await bo.post('/mark_all_as_read');
    await flag(bo, [before, received], 'remove', 'read');
    const later = await ada.send(name, 'a', 'later');
    await expectEquation(service, [bo], async () => {
      await bo.delete('/users/me/subscriptions', { subscriptions: [name] });
    });
    await bo.subscribe(name);
    for (const id of [before, received, later]) expect(await unreadOf(bo)).not.toContain(id);
  });
});

describe.each(['starred', 'collapsed'])('%s', (name) => {
  test('is added and removed, and told only where it changes', async () => {
    const channel = await createChannel(service, [ada, bo]);
    const ids = [await ada.send(channel.name, 'a', '1'), await ada.send(channel.name, 'a', '2')];
    const [one = 0, two = 0] = ids;
    const queue = await bo.register();
    await flag(bo, [one], 'add', name);
    await flag(bo, ids, 'add', name);
    expect(await flagsFor(bo, one)).toEqual([name]);
    await flag(bo, [one], 'add', 'read');
    expect(await flagsFor(bo, one)).toEqual(['read', name]);
    await flag(bo, ids, 'remove', name);
    await flag(bo, ids, 'remove', name);
    await flag(bo, [two], 'add', name);
    expect(flagEvents(await queue.drain())).toEqual([
      added(name, [one]),
      added(name, [two]),
      added('read', [one]),
      { ...added(name, ids), op: 'remove', operation: 'remove' },
      added(name, [two]),
    ]);
    expect([await flagsFor(bo, one), await flagsFor(bo, two)]).toEqual([['read'], [name]]);
    expect(await flagsFor(ada, two)).toEqual([]);
  });

  test('is for whatever one may read, and refused as a whole for anything else', async () => {
    const open = await createChannel(service, [ada]);
    const closed = await createChannel(service, [ada], { invite_only: true });
    const seen = await ada.send(open.name, 'a', '1');
    const secret = await ada.send(closed.name, 'a', '2');
    await flag(bo, [seen], 'add', name);
    expect(await flagsFor(bo, seen)).toEqual(['read', name, 'historical']);
    await flag(bo, [seen], 'remove', name);
    for (const id of [secret, 2_147_483_647, -1]) {
      const reply = await bo.post('/messages/flags', { messages: [seen, id], op: 'add', flag: name });
      expectRefusal(reply, 'Invalid message(s)');
    }
    expectRefusal(
      await guest.post('/messages/flags', { messages: [seen], op: 'add', flag: name }),
      'Invalid message(s)',
    );
    expect(await flagsFor(bo, seen)).toEqual(['read', 'historical']);
  });
});

test('starred messages are listed by register and found by narrow, old and unreceived ones too', async () => {
  const { name, channelId } = await createChannel(service, [ada]);
  const old = await ada.send(name, 'a', 'old');
  const cy = await createUser(service, 'Cy');
  const direct = await ada.sendDirect([cy.userId], 'direct');
  await ada.sendDirect([cy.userId], 'plain');
  await flag(cy, [direct, old], 'add', 'starred');
  expect((await cy.register()).snapshot.starred_messages).toEqual([old, direct]);
  const find = async (narrow: unknown, anchor: unknown = 'newest') => {
    const params = { anchor, num_before: 5, num_after: 5, narrow };
    return (await cy.get('/messages', params)).body.messages.map(({ id }: { id: number }) => id);
  };
  const starred = { operator: 'is', operand: 'starred' };
  expect(await find([starred])).toEqual([old, direct]);
  expect(await find([starred], 'oldest')).toEqual([old, direct]);
  expect(await find([starred, { operator: 'channel', operand: channelId }])).toEqual([old]);
  expect(await find([{ ...starred, negated: true }])).not.toContain(direct);
  await flag(cy, [direct, old], 'remove', 'starred');
  expect((await cy.register()).snapshot.starred_messages).toEqual([]);
  expect(await find([starred])).toEqual([]);
});

test('unread messages are found by narrow and by the anchor of the first one', async () => {
  const { name, channelId } = await createChannel(service, [ada, bo]);
  const ids = [];
  for (let n = 0; n < 6; n++) ids.push(await ada.send(name, 'a', String(n)));
  const [first = 0, second = 0, third = 0] = ids;
  await bo.post('/mark_all_as_read');
  const last = await ada.send(name, 'a', 'last');
  await flag(bo, [first, third], 'remove', 'read');
  const inChannel = { operator: 'channel', operand: channelId };
  const find = async (params: object) => (await bo.get('/messages', { ...params })).body;
  const page = { num_before: 0, num_after: 20 };
  const unread = await find({
    ...page,
    anchor: 'oldest',
    narrow: [inChannel, { operator: 'is', operand: 'unread' }],
  });
  expect(unread.messages.map(({ id }: { id: number }) => id)).toEqual([first, third, last]);
  expect((await find({ ...page, anchor: 'first_unread', narrow: [inChannel] })).anchor).toBe(first);
  await flag(bo, [first], 'add', 'read');
  expect((await find({ ...page, anchor: 'first_unread', narrow: [inChannel] })).anchor).toBe(third);
  expect(await unreadOf(bo)).not.toContain(second);
});

test('old snapshot and events make the fresh one, whatever is marked in whatever order', async () => {
  const { name } = await createChannel(service, [service.owner, ada, bo, guest]);
  const people = [service.owner, bo, guest];
  const ids: number[] = [];
  for (let n = 0; n < 4; n++) ids.push(await ada.send(name, 'a', String(n)));
  const [one = 0, two = 0, three = 0, four = 0] = ids;
  const direct = await ada.sendDirect([bo.userId, guest.userId], 'direct');
  await expectEquation(service, people, async () => {
    for (const person of people) {
      await flag(person, [one, two], 'add', 'read');
      await flag(person, [two, three], 'add', 'starred');
      await person.post('/mark_all_as_read');
      await flag(person, [two, four], 'remove', 'read');
      await flag(person, [two], 'remove', 'starred');
      await flag(person, [four], 'add', 'read');
      await flag(person, [four], 'remove', 'read');
    }
    await flag(bo, [direct], 'remove', 'read');
    await ada.send(name, 'a', 'after');
    await bo.post('/mark_all_as_read');
    await flag(bo, [three], 'remove', 'read');
  });
});

describe('what is refused', () => {
  test.each([
    ['read', 'toggle', "Invalid message flag operation: 'toggle'"],
    ['purple', 'add', "Invalid flag: 'purple'"],
    ['wildcard', 'purple', "Invalid flag: 'wildcard'"],
    ...[
      'mentioned',
      'stream_wildcard_mentioned',
      'topic_wildcard_mentioned',
      'has_alert_word',
      'historical',
    ].map((name) => [name, 'add', `Flag not editable: '${name}'`]),
  ])('flag %s, operation %s', async (name, op, msg) => {
    const id = await ada.sendDirect([bo.userId], 'x');
    expectRefusal(await bo.post('/messages/flags', { messages: [id], op, flag: name }), msg);
    expect(await flagsFor(bo, id)).toEqual([]);
  });

  test.each([
    ['5', 'messages is not a list'],
    ['["5"]', 'messages[0] is not an integer'],
    ['[1.5]', 'messages[0] is not an integer'],
    ['[1,', 'messages is not valid JSON'],
  ])('messages %s', async (messages, msg) => {
    expectRefusal(await bo.post('/messages/flags', { messages, op: 'add', flag: 'read' }), msg);
  });

  test('more messages than a page has', async () => {
    const messages = Array.from({ length: 5_001 }, (_, n) => n + 1);
    expectRefusal(
      await bo.post('/messages/flags', { messages, op: 'add', flag: 'read' }),
      'Too many messages requested (maximum 5000).',
    );
  });
});

test('of two who change the same at the same time, both come true one after the other', async () => {
  const { name } = await createChannel(service, [ada, bo]);
  const ids: number[] = [];
  for (let n = 0; n < 8; n++) ids.push(await ada.send(name, 'a', String(n)));
  await expectEquation(service, [bo], async () => {
    await Promise.all(
      ids.flatMap((id, index) => [
        flag(bo, [id], 'add', 'read'),
        flag(bo, ids.slice(0, index), 'remove', 'read'),
        flag(bo, [id], 'add', 'starred'),
        ...(index === 4 ? [bo.post('/mark_all_as_read')] : []),
      ]),
    );
  });
});
