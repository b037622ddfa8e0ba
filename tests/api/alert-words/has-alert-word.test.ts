import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, ReceivedEvent } from '#tests/harness/client.ts';
import { createChannel, createUser, createUsers, idsOf } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { add, flagsOf, remove } from './alert-word-calls.ts';

const service = await startTestService({}, { ownerMayChangeEmails: true });
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);
await add(ada, ['kiln']);

const FLAG = 'has_alert_word';
const send = (content: string, sender = bo) => sender.send(room.channelId, 'topic', content);
const eventFlags = (events: ReceivedEvent[]) =>
  events.filter(({ type }) => type === 'message').map(({ flags }) => flags);
const ALERTED = ['is', 'alerted'];
const UNREAD = ['is', 'unread'];
const narrowed = async (client: Client, ...narrow: unknown[]) => {
  const { body } = await client.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
  return idsOf(body.messages);
};

describe('A message with an alert word', () => {
  test(
    'Has the flag for a user with that word, in events and lists',
    proves('add-alert-words.4'),
    async () => {
      const [mine, theirs] = [await ada.listen(), await bo.listen()];
      const [hit, miss] = [await send('the Kiln is hot'), await send('the kilns are hot')];
      expect(eventFlags(await mine.drain())).toEqual([[FLAG], []]);
      expect(eventFlags(await theirs.drain())).toEqual([[], []]);
      expect(await flagsOf(ada, hit)).toEqual([FLAG]);
      expect(await flagsOf(ada, miss)).toEqual([]);
      expect(await flagsOf(bo, hit)).toEqual([]);
    },
  );

  test('Has the flag in direct messages and in notes to oneself', async () => {
    const queue = await ada.listen();
    const direct = await bo.sendDirect([ada.userId], 'kiln?');
    const own = await ada.sendDirect([bo.userId], 'kiln!', { read_by_sender: true });
    expect(eventFlags(await queue.drain())).toEqual([[FLAG], ['read', FLAG]]);
    expect(await flagsOf(ada, direct)).toEqual([FLAG]);
    expect(await flagsOf(ada, own)).toEqual(['read', FLAG]);
  });

  test('Keeps the flag when it is read and starred', async () => {
    const id = await send('kiln');
    for (const flag of ['read', 'starred'])
      await ada.post('/messages/flags', { messages: [id], op: 'add', flag });
    expect(await flagsOf(ada, id)).toEqual(['read', 'starred', FLAG]);
  });

  test('Has no flag for a user who did not receive it', async () => {
    const outsider = await createUser(service, 'Outsider');
    await add(outsider, ['kiln']);
    const queue = await outsider.listen({ all_public_streams: true });
    const id = await send('kiln');
    expect(eventFlags(await queue.drain())).toEqual([['read', 'historical']]);
    expect(await flagsOf(outsider, id)).toEqual(['read', 'historical']);
  });
});

describe('The flag of a message', () => {
  test('Depends on the words at the time of sending', async () => {
    const cy = await createUser(service, 'Cy');
    await cy.subscribe(room.name);
    const queue = await cy.listen();
    const ids = [await send('wheel')];
    for (const change of [() => add(cy, ['wheel']), () => remove(cy, ['WHEEL']), () => add(cy, ['Wheel'])]) {
      await change();
      ids.push(await send('wheel'));
    }
    const expected = [[], [FLAG], [], [FLAG]];
    expect(eventFlags(await queue.drain())).toEqual(expected);
    expect(await Promise.all(ids.map((id) => flagsOf(cy, id)))).toEqual(expected);
  });

  test('Depends on the words at the time of sending while a poll waits', async () => {
    const cy = await createUser(service, 'Cy');
    await cy.subscribe(room.name);
    const queue = await cy.listen({ event_types: ['message'] });
    const waiting = queue.waitFor('message');
    await add(cy, ['wheel']);
    await send('wheel');
    expect(eventFlags(await waiting)).toEqual([[FLAG]]);
  });

  test('Survives a change of its reader’s address', async () => {
    const cy = await createUser(service, 'Cy');
    await cy.subscribe(room.name);
    await add(cy, ['wheel']);
    const id = await send('wheel');
    const { status } = await service.owner.patch(`/users/${cy.userId}`, { new_email: 'cyrus@example.com' });
    expect(status).toBe(200);
    expect(await flagsOf(await service.clientOf('cyrus@example.com'), id)).toEqual([FLAG]);
  });
});

describe('A narrow by is:alerted', () => {
  test('Finds messages with the flag, finds the others if negated, and combines with other terms', async () => {
    const cy = await createUser(service, 'Cy');
    const den = await createChannel(service, [cy, bo]);
    await add(cy, ['glaze']);
    const hit = await bo.send(den.channelId, 'a', 'glaze it');
    const miss = await bo.send(den.channelId, 'a', 'fire it');
    const direct = await bo.sendDirect([cy.userId], 'Glaze?');
    const read = await cy.send(den.channelId, 'b', 'glaze', { read_by_sender: true });
    expect(await narrowed(cy, ALERTED)).toEqual([hit, direct, read]);
    expect(await narrowed(cy, { operator: 'is', operand: 'alerted', negated: true })).toContain(miss);
    expect(await narrowed(cy, ['channel', den.name], ALERTED)).toEqual([hit, read]);
    expect(await narrowed(cy, ALERTED, UNREAD)).toEqual([hit, direct]);
    expect(await narrowed(cy, ALERTED, ['search', 'fire'])).toEqual([]);
    expect(await narrowed(bo, ALERTED)).toEqual([]);
    const { body } = await cy.get('/messages/matches_narrow', { msg_ids: [hit, miss], narrow: [ALERTED] });
    expect(Object.keys(body.messages)).toEqual([String(hit)]);
  });

  test('Has its first unread message as an anchor, and can be marked as read', async () => {
    const cy = await createUser(service, 'Cy');
    const den = await createChannel(service, [cy, bo]);
    await add(cy, ['glaze']);
    const fire = await bo.send(den.channelId, 'a', 'fire');
    const hits = [await bo.send(den.channelId, 'a', 'glaze'), await bo.send(den.channelId, 'a', 'glaze!')];
    const range = { num_before: 0, num_after: 50, narrow: [ALERTED] };
    const { body } = await cy.get('/messages', { anchor: 'first_unread', ...range });
    expect([body.anchor, idsOf(body.messages)]).toEqual([hits[0], hits]);
    await cy.post('/messages/flags/narrow', { anchor: 'oldest', ...range, op: 'add', flag: 'read' });
    expect(await narrowed(cy, ALERTED, UNREAD)).toEqual([]);
    expect(await flagsOf(cy, fire)).toEqual([]);
  });

  test('Matches mentions in the narrow of a queue', async () => {
    const queue = await ada.listen({ narrow: [ALERTED], event_types: ['message'] });
    await send('kiln');
    expect(await queue.drain()).toEqual([]);
  });
});

test('Alert words cost nothing for senders, and for readers who never had a word', async () => {
  const [cy, di] = await createUsers(service, 'Cy', 'Di');
  const den = await createChannel(service, [cy, di]);
  for (const sender of [cy, di]) await sender.send(den.channelId, 'topic', 'the first of the day');
  const range = { anchor: 1, num_before: 0, num_after: 0 };
  const measure = async () => {
    const queue = await cy.listen();
    const sent = await unitsOf(service, () => di.send(den.channelId, 'topic', 'glaze'));
    const polled = await unitsOf(service, () => queue.poll({ dont_block: true }));
    const fetched = await unitsOf(service, () => cy.get('/messages', range));
    return { sent, polled, fetched };
  };
  const before = await measure();
  await add(di, ['glaze']);
  expect(await measure()).toEqual(before);
  await add(cy, ['glaze']);
  const after = await measure();
  expect(after.sent).toEqual(before.sent);
  expect(after.polled.read).toBe(before.polled.read + 1);
  expect(after.fetched.read).toBe(before.fetched.read + 1);
});
