import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { flag, flagEvents, flagsFor, unreadOf } from './flags.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

const added = (name: string, messages: number[]) => ({
  type: 'update_message_flags',
  op: 'add',
  operation: 'add',
  flag: name,
  messages,
  all: false,
});

describe('Marking as read', () => {
  test('Appears in flags, in register and in an event to all queues of the reader and no other user', async () => {
    const { name } = await createChannel(service, [ada, bo]);
    const [one, two] = [await ada.send(name, 'a', '1'), await ada.send(name, 'a', '2')];
    expect(await flagsFor(bo, one)).toEqual([]);
    const [first, second, others] = await Promise.all([bo.listen(), bo.listen(), ada.listen()]);
    const { body } = await flag(bo, [two, one, one], 'add', 'read');
    expect(body.messages).toEqual([two, one, one]);
    expect(body.ignored_because_not_subscribed_channels).toEqual([]);
    for (const queue of [first, second])
      expect(flagEvents(await queue.drain())).toEqual([added('read', [one, two])]);
    expect(flagEvents(await others.drain())).toEqual([]);
    expect(await flagsFor(bo, one)).toEqual(['read']);
    expect(await unreadOf(bo)).not.toContain(one);
  });

  test('Sends and writes nothing if nothing changes', async () => {
    const { name } = await createChannel(service, [ada, bo]);
    const id = await ada.send(name, 'a', '1');
    await flag(bo, [id], 'add', 'read');
    const queue = await bo.listen();
    service.meter.reset();
    await flag(bo, [id], 'add', 'read');
    await flag(bo, [], 'add', 'read');
    expect(service.meter.write).toBe(0);
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
    const [one = 0, two = 0] = ids;
    const queue = await bo.listen();
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
    expectRefusal(
      await guest.post('/messages/flags', { messages: [seen], op: 'add', flag: name }),
      'Invalid message(s)',
    );
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

test('Unread messages are found by narrow and by the anchor of the first one', async () => {
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

test('A snapshot plus events equals a new one, after marking in any order', async () => {
  const { name } = await createChannel(service, [service.owner, ada, bo, guest]);
  const people = [service.owner, bo, guest];
  const ids: number[] = [];
  for (let n = 0; n < 4; n++) ids.push(await ada.send(name, 'a', String(n)));
  const [one = 0, two = 0, three = 0, four = 0] = ids;
  const direct = await ada.sendDirect([bo.userId, guest.userId], 'direct');
  await expectConsistentSnapshot(service, people, async () => {
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

describe('Updating flags is refused for', () => {
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
  const ids: number[] = [];
  for (let n = 0; n < 8; n++) ids.push(await ada.send(name, 'a', String(n)));
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
