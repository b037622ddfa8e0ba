import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { openMarks } from '#shared/store/reading/read-state.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { proves } from '#tests/conformance/proves.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import type { Client } from '#tests/harness/client.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { moveLogTo } from '#tests/harness/log.ts';
import { createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';
import { expectConsistentSnapshot, REQUEST } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { Random } from '#tests/simulation/random.ts';
import { flag, flagEvents, flagsFor, unreadOf } from './flags.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

async function markAll(client: Client): Promise<void> {
  const { status, body } = await client.post('/mark_all_as_read');
  expect([status, body]).toEqual([200, { result: 'success', msg: '', complete: true }]);
}

describe('Marking everything as read', () => {
  test(
    'Names the unread messages, to the reader only, at any time',
    proves('mark-all-as-read.1'),
    async () => {
      const { name } = await createChannel(service, [ada, bo]);
      await markAll(bo);
      const [first, second] = [await ada.send(name, 'a', '1'), await ada.sendDirect([bo.userId], '2')];
      await bo.send(name, 'a', 'own', { read_by_sender: true });
      const read = await ada.send(name, 'a', 'read');
      await flag(bo, [read], 'add', 'read');
      const [queue, others] = await listenAll([bo, ada]);
      await markAll(bo);
      const third = await ada.send(name, 'a', '3');
      await markAll(bo);
      const event = (messages: number[]) => ({
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'read',
        messages,
        all: false,
      });
      expect(flagEvents(await queue.drain())).toEqual([event([first, second]), event([third])]);
      expect(flagEvents(await others.drain())).toEqual([]);
      expect(await unreadOf(bo)).toEqual([]);
      expect(await flagsFor(bo, first)).toEqual(['read']);
      expect(await unreadOf(ada)).not.toEqual([]);
    },
  );

  test('Names messages that were marked as unread and read again before a late poll', async () => {
    await markAll(bo);
    const id = await ada.sendDirect([bo.userId], 'again');
    const queue = await bo.listen();
    await markAll(bo);
    await flag(bo, [id], 'remove', 'read');
    await flag(bo, [id], 'add', 'read');
    const events = flagEvents(await queue.drain());
    expect(events.map(({ op, messages }) => [op, messages])).toEqual([
      ['add', [id]],
      ['remove', [id]],
      ['add', [id]],
    ]);
  });

  test('Names messages that a call at the same time marks as read', async () => {
    await markAll(bo);
    const [first, second] = [await ada.sendDirect([bo.userId], '1'), await ada.sendDirect([bo.userId], '2')];
    const queue = await bo.listen();
    const counting = { increment: reads(organizationKeys.counter('log')) };
    const marked = interrupt(service, counting, () => markAll(bo));
    await flag(bo, [first], 'add', 'read');
    expect(marked.hasHappened()).toBe(true);
    await flag(bo, [second], 'remove', 'read');
    const [all] = flagEvents(await queue.drain());
    expect(all?.messages).toEqual([first, second]);
  });

  test('Sends nothing if nothing was unread, and nothing to queues without that event type', async () => {
    await markAll(bo);
    await ada.sendDirect([bo.userId], 'x');
    const [without, empty] = [await bo.listen({ event_types: ['message'] }), await bo.listen()];
    await markAll(bo);
    await markAll(bo);
    expect(await without.drain()).toEqual([]);
    expect(flagEvents(await empty.drain())).toHaveLength(1);
  });

  test('Covers messages that were marked as unread, however old', async () => {
    const { name } = await createChannel(service, [ada]);
    const historical = await ada.send(name, 'a', 'before');
    const old = await ada.sendDirect([bo.userId], 'old');
    await bo.subscribe(name);
    await markAll(bo);
    await flag(bo, [historical, old], 'remove', 'read');
    const queue = await bo.listen();
    await markAll(bo);
    // Later writes to the same block take nothing from the queue.
    const next = await ada.sendDirect([bo.userId], 'next');
    await flag(bo, [next], 'add', 'read');
    expect(flagEvents(await queue.drain()).map(({ messages }) => messages)).toEqual([
      [historical, old],
      [next],
    ]);
    expect(await unreadOf(bo)).toEqual([]);
    await flag(bo, [old], 'remove', 'read');
    expect(await unreadOf(bo)).toEqual([old]);
  });

  test('Keeps snapshot and events consistent for all roles, in channels left and joined', async () => {
    const guest = await createUser(service, 'Guest', roles.guest);
    const people = [service.owner, bo, guest];
    const { name } = await createChannel(service, [ada, ...people]);
    const left = await createChannel(service, [ada, ...people]);
    await ada.send(name, 'a', '1');
    await expectConsistentSnapshot(service, people, async () => {
      await ada.send(left.name, 'a', '2');
      for (const person of people) {
        await markAll(person);
        await person.delete('/users/me/subscriptions', { subscriptions: [left.name] });
      }
      await ada.send(name, 'a', '3');
      for (const person of people) await markAll(person);
      await service.settle();
      await ada.send(name, 'a', '4');
    });
  });
});

test(
  'Marking everything as read handles the newest first if one entry cannot hold all',
  proves('mark-all-as-read.2', 'mark-all-as-read.4', 'mark-all-as-read.5'),
  async () => {
    const quiet = await startTestService();
    const { table } = quiet.services;
    await moveLogTo(quiet.services, 40_000);
    const cy = await createUser(quiet, 'Cy');
    const markUnread = async (messagesByBlock: number[]): Promise<void> => {
      const { markedAllAt } = (await openMarks(table, cy.userId)).state;
      for (const [index, messages] of messagesByBlock.entries()) {
        const unread = new Uint8Array(750).fill(0xff, 0, messages / 8);
        const marks = { block: index + 1, revision: 1, markedAllAt, read: new Uint8Array(0), unread };
        await table.write({ kind: 'put', item: { ...userKeys.marks(cy.userId, index + 1), ...marks } });
      }
      const unreadBlocks = new Set(messagesByBlock.keys().map((index) => index + 1));
      await table.write({ kind: 'update', key: userKeys.readState(cy.userId), add: { unreadBlocks } });
    };
    await markAll(cy);
    await markUnread([6_000, 6_000, 6_000, 2_000]);
    await markAll(cy);
    await markUnread([6_000, 6_000, 6_000, 6_000]);
    const queue = await cy.listen({ event_types: ['update_message_flags'] });
    expect((await cy.post('/mark_all_as_read')).body.complete).toBe(false);
    expect((await cy.post('/mark_all_as_read')).body.complete).toBe(true);
    const [first = [], second = []] = flagEvents(await queue.drain()).map(({ messages }) => messages);
    expect([first.length, second.length]).toEqual([20_000, 4_000]);
    expect(Math.min(...first)).toBeGreaterThan(Math.max(...second));
  },
);

describe('100 000 unread messages', () => {
  const COUNT = 100_000;

  test(
    'Become read for 6 write units, and the event names them when it is read',
    proves('mark-all-as-read.1', 'mark-all-as-read.3'),
    async () => {
      const busy = await startTestService();
      const [cy] = await createUsers(busy, 'Cy');
      const { name, channelId } = await createChannel(busy, [busy.owner, cy]);
      await cy.post('/mark_all_as_read');
      const place = { channelId, channelName: name };
      const { first, last } = await fillLog(busy.services, place, COUNT, 200);
      const queue = await cy.listen({ event_types: ['update_message_flags'] });
      busy.meter.reset();
      expect((await cy.post('/mark_all_as_read')).body.complete).toBe(true);
      expect(busy.meter.write).toBeLessThanOrEqual(6);
      busy.meter.reset();
      const { body } = await queue.poll();
      expect(body.events.length).toBeGreaterThan(1);
      const ids = flagEvents([...body.events]).flatMap(({ messages }) => messages);
      expect(ids).toContain(last);
      expect(busy.meter.read).toBeLessThan(100);
      queue.lastEventId = body.events[0].id;
      const rest = flagEvents(await queue.drain());
      const all = [...body.events[0].messages, ...rest.flatMap(({ messages }) => messages)];
      expect(all).toHaveLength(COUNT);
      expect(new Set(all).size).toBe(COUNT);
      expect(Math.min(...all)).toBe(first);
      expect(await unreadOf(cy)).toEqual([]);
    },
  );
});

const ROUNDS = 25;
const STEPS = 6;
const SEEDS = [1, 2, 3];
/** The state that a client needs to compute unread messages. */
const UNREAD = {
  ...REQUEST,
  event_types: [
    'message',
    'update_message_flags',
    'subscription',
    'stream',
    'user_topic',
    'realm_user',
    'recent_private_conversations',
  ],
};

/** An action of a user on the owner's messages. */
async function step(reader: Client, channel: string, random: Random, ids: number[]): Promise<string> {
  const { owner } = service;
  const id = ids[random.between(0, ids.length - 1)] as number;
  const leave = () => reader.delete('/users/me/subscriptions', { subscriptions: [channel] });
  const acts: [name: string, act: () => Promise<unknown>][] = [
    ['leaves', leave],
    ['leaves and is done with it', () => leave().then(() => service.settle())],
    ['comes back', () => reader.post('/users/me/subscriptions', { subscriptions: [{ name: channel }] })],
    ['gets a message', async () => ids.push(await owner.send(channel, 'topic', 'news'))],
    ['gets another', async () => ids.push(await owner.send(channel, 'topic', 'more'))],
    ['gets a direct message', async () => ids.push(await owner.sendDirect([reader.userId], 'you'))],
    ['reads all', () => reader.post('/mark_all_as_read')],
    [`reads ${id}`, () => flag(reader, [id], 'add', 'read')],
    [`unreads ${id}`, () => flag(reader, [id], 'remove', 'read')],
  ];
  const [name, act] = acts[random.between(0, acts.length - 1)] ?? ['', async () => {}];
  await act();
  return name;
}

test.each(SEEDS)(
  'A user who reads, leaves and returns gets an event of every change: seed %i',
  async (seed) => {
    const random = new Random(seed);
    const channel = `news ${seed}`;
    const reader = await service.createUser(`Reader${seed}`);
    await service.owner.subscribe(channel, { principals: [service.owner.userId, reader.userId] });
    const ids = [await service.owner.send(channel, 'topic', 'the first')];
    let queue = await reader.register(UNREAD);
    for (let round = 0; round < ROUNDS; round++) {
      const done: string[] = [];
      for (let n = 0; n < STEPS; n++) done.push(await step(reader, channel, random, ids));
      await service.settle();
      const replayed = applyEvents(queue.snapshot, await queue.drain());
      const fresh = await reader.register(UNREAD);
      expect(replayed.unread_msgs, done.join(', ')).toEqual(fresh.snapshot.unread_msgs);
      queue = fresh;
    }
  },
);
