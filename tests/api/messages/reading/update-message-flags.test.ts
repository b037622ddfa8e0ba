import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { idsIn, list, sendMany, term } from '../lists/message-lists.ts';
import { added, flag, flagEvents, flagsFor, unreadOf } from './flags.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

describe('Marking as read', () => {
  test('Appears in flags, in register and in an event to all queues of the reader and no other user', async () => {
    const { name } = await createChannel(service, [ada, bo]);
    const [earlier, later] = [await ada.send(name, 'a', '1'), await ada.send(name, 'a', '2')];
    expect(await flagsFor(bo, earlier)).toEqual([]);
    const [first, second, others] = await Promise.all([bo.listen(), bo.listen(), ada.listen()]);
    const { body } = await flag(bo, [later, earlier, earlier], 'add', 'read');
    expect(body).toMatchObject({
      messages: [later, earlier, earlier],
      ignored_because_not_subscribed_channels: [],
    });
    for (const queue of [first, second])
      expect(flagEvents(await queue.drain())).toEqual([added('read', [earlier, later])]);
    expect(flagEvents(await others.drain())).toEqual([]);
    expect(await flagsFor(bo, earlier)).toEqual(['read']);
    expect(await unreadOf(bo)).not.toContain(earlier);
  });

  test('Sends and writes nothing if nothing changes', async () => {
    const { name } = await createChannel(service, [ada, bo]);
    const id = await ada.send(name, 'a', '1');
    await flag(bo, [id], 'add', 'read');
    const queue = await bo.listen();
    for (const messages of [[id], []])
      expect((await unitsOf(service, () => flag(bo, messages, 'add', 'read'))).write).toBe(0);
    expect(await queue.drain()).toEqual([]);
  });

  test('Skips messages that the caller cannot read or that do not exist', async () => {
    const { name } = await createChannel(service, [ada], { invite_only: true });
    const secret = await ada.send(name, 'a', 'secret');
    const known = await ada.sendDirect([bo.userId], 'for Bo');
    const queue = await bo.listen();
    const ids = [secret, known, 2_147_483_647, -5, 0, Number.MAX_SAFE_INTEGER];
    const { body } = await flag(bo, ids, 'add', 'read');
    expect(body.messages).toEqual(ids);
    expect(flagEvents(await queue.drain())).toEqual([added('read', [known])]);
  });
});

describe.each(['starred', 'collapsed', 'hide_link_previews'])('The flag %s', (name) => {
  test('Can be added and removed, with an event only if it changes', async () => {
    const channel = await createChannel(service, [ada, bo]);
    const ids = [await ada.send(channel.name, 'a', '1'), await ada.send(channel.name, 'a', '2')];
    const [earlier = 0, later = 0] = ids;
    const queue = await bo.listen();
    await flag(bo, [earlier], 'add', name);
    await flag(bo, ids, 'add', name);
    expect(await flagsFor(bo, earlier)).toEqual([name]);
    await flag(bo, [earlier], 'add', 'read');
    expect(await flagsFor(bo, earlier)).toEqual(['read', name]);
    await flag(bo, ids, 'remove', name);
    await flag(bo, ids, 'remove', name);
    await flag(bo, [later], 'add', name);
    expect(flagEvents(await queue.drain())).toEqual([
      added(name, [earlier]),
      added(name, [later]),
      added('read', [earlier]),
      { ...added(name, ids), op: 'remove', operation: 'remove' },
      added(name, [later]),
    ]);
    expect([await flagsFor(bo, earlier), await flagsFor(bo, later)]).toEqual([['read'], [name]]);
    expect(await flagsFor(ada, later)).toEqual([]);
  });

  test('Works for any readable message, and fails as a whole for others', async () => {
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
    const refused = await guest.post('/messages/flags', { messages: [seen], op: 'add', flag: name });
    expectRefusal(refused, 'Invalid message(s)');
    expect(await flagsFor(bo, seen)).toEqual(['read', 'historical']);
  });
});

test('Starred messages appear in register and in a narrow, old and unreceived ones too', async () => {
  const { name, channelId } = await createChannel(service, [ada]);
  const old = await ada.send(name, 'a', 'old');
  const cy = await createUser(service, 'Cy');
  const direct = await ada.sendDirect([cy.userId], 'direct');
  await ada.sendDirect([cy.userId], 'plain');
  await flag(cy, [direct, old], 'add', 'starred');
  expect((await cy.register()).snapshot.starred_messages).toEqual([old, direct]);
  const find = (narrow: unknown[], anchor: unknown = 'newest') =>
    idsIn(cy, narrow, { anchor, num_before: 5, num_after: 5 });
  const starred = term('is', 'starred');
  for (const anchor of ['newest', 'oldest']) expect(await find([starred], anchor)).toEqual([old, direct]);
  expect(await find([starred, term('channel', channelId)])).toEqual([old]);
  expect(await find([{ ...starred, negated: true }])).not.toContain(direct);
  await flag(cy, [direct, old], 'remove', 'starred');
  expect((await cy.register()).snapshot.starred_messages).toEqual([]);
  expect(await find([starred])).toEqual([]);
});

test('Unread messages are found by narrow and by the anchor of the first one', async () => {
  const { name, channelId } = await createChannel(service, [ada, bo]);
  const [first = 0, second = 0, third = 0] = await sendMany(6, ada, name, 'a');
  await bo.post('/mark_all_as_read');
  const last = await ada.send(name, 'a', 'last');
  await flag(bo, [first, third], 'remove', 'read');
  const inChannel = term('channel', channelId);
  const page = { anchor: 'first_unread', num_before: 0, num_after: 20, narrow: [inChannel] };
  const oldest = { ...page, anchor: 'oldest' };
  expect(await idsIn(bo, [inChannel, term('is', 'unread')], oldest)).toEqual([first, third, last]);
  expect((await list(bo, page)).anchor).toBe(first);
  await flag(bo, [first], 'add', 'read');
  expect((await list(bo, page)).anchor).toBe(third);
  expect(await unreadOf(bo)).not.toContain(second);
});

test('A snapshot plus events equals a new one, after marking in any order', async () => {
  const { name } = await createChannel(service, [service.owner, ada, bo, guest]);
  const people = [service.owner, bo, guest];
  const [first = 0, second = 0, third = 0, fourth = 0] = await sendMany(4, ada, name, 'a');
  const direct = await ada.sendDirect([bo.userId, guest.userId], 'direct');
  await expectConsistentSnapshot(service, people, async () => {
    for (const person of people) {
      await flag(person, [first, second], 'add', 'read');
      await flag(person, [second, third], 'add', 'starred');
      await person.post('/mark_all_as_read');
      await flag(person, [second, fourth], 'remove', 'read');
      await flag(person, [second], 'remove', 'starred');
      await flag(person, [fourth], 'add', 'read');
      await flag(person, [fourth], 'remove', 'read');
    }
    await flag(bo, [direct], 'remove', 'read');
    await ada.send(name, 'a', 'after');
    await bo.post('/mark_all_as_read');
    await flag(bo, [third], 'remove', 'read');
  });
});

describe('Updating flags is refused for', () => {
  const WILDCARDS = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned'];
  const FIXED = ['mentioned', ...WILDCARDS, 'has_alert_word', 'historical'];

  test.each([
    ['read', 'toggle', "Invalid message flag operation: 'toggle'"],
    ['purple', 'add', "Invalid flag: 'purple'"],
    ['wildcard', 'purple', "Invalid flag: 'wildcard'"],
    ...FIXED.map((name) => [name, 'add', `Flag not editable: '${name}'`]),
  ])('Flag %s, operation %s', async (name, op, msg) => {
    const id = await ada.sendDirect([bo.userId], 'x');
    expectRefusal(await bo.post('/messages/flags', { messages: [id], op, flag: name }), msg);
    expect(await flagsFor(bo, id)).toEqual([]);
  });

  test('More messages than a page has, and not for a full page', async () => {
    const read = (count: number) => {
      const messages = Array.from({ length: count }, (_, n) => n + 1_000_000);
      return bo.post('/messages/flags', { messages, op: 'add', flag: 'read' });
    };
    expectRefusal(await read(5_001), 'Too many messages requested (maximum 5000).');
    expect((await read(5_000)).status).toBe(200);
  });
});

test('Two users’ simultaneous changes both apply, one after the other', async () => {
  const { name } = await createChannel(service, [ada, bo]);
  const ids = await sendMany(8, ada, name, 'a');
  await expectConsistentSnapshot(service, [bo], async () => {
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

describe('Marking as unread', () => {
  test('Returns the places of the messages, in the form that the client supports', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo, guest]);
    const inTopic = await ada.send(name, '', '1', { read_by_sender: true });
    const direct = await ada.sendDirect([bo.userId], '2');
    const group = await ada.sendDirect([guest.userId, bo.userId], '3');
    const note = await bo.sendDirect([bo.userId], '4', { read_by_sender: true });
    await bo.post('/mark_all_as_read');
    const plain = await bo.listen();
    const modern = await bo.listen({ client_capabilities: { empty_topic_name: true } });
    await flag(bo, [note, inTopic, group, direct], 'remove', 'read');
    const event = (topic: string) => ({
      ...added('read', [inTopic, direct, group, note]),
      op: 'remove',
      operation: 'remove',
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

  test('Returns whether the channel is muted, and a muted one is listed but not counted', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo]);
    const id = await ada.send(name, 'a', '1');
    await bo.post('/mark_all_as_read');
    const key = channelKeys.subscription(bo.userId, channelId);
    await service.services.table.write({ kind: 'update', key, set: { isMuted: true } });
    const queue = await bo.listen();
    await flag(bo, [id], 'remove', 'read');
    const [event] = flagEvents(await queue.drain());
    expect(event?.message_details[id].unmuted_stream_msg).toBe(false);
    const { unread_msgs } = (await bo.register()).snapshot;
    expect(unread_msgs.count).toBe(0);
    expect(unread_msgs.streams).toEqual([{ stream_id: channelId, topic: 'a', unread_message_ids: [id] }]);
  });

  test('Returns whether the topic is muted, whatever its channel is', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo]);
    const [loud, quiet] = [await ada.send(name, 'loud', '1'), await ada.send(name, 'quiet', '2')];
    await bo.post('/mark_all_as_read');
    await bo.post('/user_topics', { stream_id: channelId, topic: 'QUIET', visibility_policy: 1 });
    const queue = await bo.listen();
    await flag(bo, [loud, quiet], 'remove', 'read');
    const [event] = flagEvents(await queue.drain());
    expect(event?.message_details[loud].unmuted_stream_msg).toBe(true);
    expect(event?.message_details[quiet].unmuted_stream_msg).toBe(false);
    expect((await bo.register()).snapshot.unread_msgs.count).toBe(1);
  });

  test('Works for the caller’s own messages, and for those from before the subscription', async () => {
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

  test('Has no effect in channels to which the caller is not subscribed', async () => {
    const { name, channelId } = await createChannel(service, [ada]);
    const left = await createChannel(service, [ada, bo]);
    // The channel that was created later has the older message.
    const ids = [await ada.send(left.name, 'a', '1'), await ada.send(name, 'a', '2')];
    await bo.delete('/users/me/subscriptions', { subscriptions: [left.name] });
    await service.settle();
    const queue = await bo.listen();
    const { body } = await flag(bo, ids, 'remove', 'read');
    expect(body.ignored_because_not_subscribed_channels).toEqual([channelId, left.channelId]);
    expect(await queue.drain()).toEqual([]);
    expect((await flag(bo, ids, 'add', 'read')).body.ignored_because_not_subscribed_channels).toEqual([]);
  });

  test('Reveals nothing of private channels that the caller may not know', async () => {
    const { name } = await createChannel(service, [ada], { invite_only: true });
    const secret = await ada.send(name, 'a', 'secret');
    for (const id of [secret, 2_147_483_646]) {
      const { body } = await flag(bo, [id], 'remove', 'read');
      expect(body.ignored_because_not_subscribed_channels).toEqual([]);
    }
  });

  test('Ends if the reader leaves the channel', async () => {
    const { name } = await createChannel(service, [ada]);
    const before = await ada.send(name, 'a', 'before');
    await bo.subscribe(name);
    const received = await ada.send(name, 'a', 'received');
    await bo.post('/mark_all_as_read');
    await flag(bo, [before, received], 'remove', 'read');
    const later = await ada.send(name, 'a', 'later');
    await expectConsistentSnapshot(service, [bo], async () => {
      await bo.delete('/users/me/subscriptions', { subscriptions: [name] });
    });
    await bo.subscribe(name);
    for (const id of [before, received, later]) expect(await unreadOf(bo)).not.toContain(id);
  });
});
