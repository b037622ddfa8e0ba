import { beforeAll, describe, expect, test } from 'vitest';
import { makeFolder } from '#tests/api/channel-folders/folder-calls.ts';
import type { Client, EventQueue, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers, drainMessages, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { join, leave, newName } from '../channel-calls.ts';
import { idOf, kindsOf, membersOf, subscriptionOf } from '../channel-records.ts';
import { createPeople, emailOf } from '../people.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const clientOf = (userId: number): Promise<Client> => service.clientOf(emailOf(userId));

const subscriptionEvents = async (queue: EventQueue) =>
  (await queue.drain()).filter(({ type }) => type === 'subscription');

const silently = { send_new_subscription_messages: false };
/** Older messages are in the index, and the workers need not look for them in the log. */
const letItSettle = () => service.advance(11_000);

describe('Subscribing many people in one call', () => {
  let people: number[];
  beforeAll(async () => {
    people = await createPeople(service, 180);
  });
  const person = (index: number): Promise<Client> => clientOf(people[index] ?? 0);

  test('Gives all of them the same snapshot and events, from the first batch to the last', async () => {
    const [first, last] = [await person(0), await person(89)];
    const [open, secret, fresh] = [newName(), newName(), newName()];
    await join(ada, [open]);
    await join(ada, [secret], { invite_only: true });
    await service.settle();
    const params = { principals: people.slice(0, 90), ...silently };
    await expectConsistentSnapshot(service, [first, last, ada, bo, service.owner], async () => {
      await join(ada, [open, secret], params);
      await join(ada, [fresh], { ...params, invite_only: true });
      letItSettle();
      await leave(service.owner, [open, secret], { principals: people.slice(75, 90) });
    });
  });

  test('Announces a new channel to guests of the last batch as to guests of the first', async () => {
    const guest = await person(120);
    await service.setRole(guest.email, 600);
    await expectConsistentSnapshot(service, [guest], async () => {
      await join(ada, [newName()], { principals: people.slice(31, 121), ...silently });
    });
  });

  test('Sends notices of the bot to at most a hundred people, once each', async () => {
    const observers = await Promise.all([0, 99, 100].map(person));
    const queues = await listenAll(observers, { event_types: ['message'] });
    const [few, many] = [newName(), newName()];
    await join(ada, [few, many]);
    const withNotices = await join(ada, [few], { principals: people.slice(0, 100) });
    expect(withNotices.body.new_subscription_messages_sent).toBe(true);
    const without = await join(ada, [many], { principals: people.slice(0, 101) });
    expect(without.body.new_subscription_messages_sent).toBe(false);
    await service.settle();
    const received = await Promise.all(queues.map(drainMessages));
    const counts = received.map((messages) => messages.filter(({ type }) => type === 'private').length);
    expect(counts).toEqual([1, 1, 0]);
  });

  test.each([2, 100])('Costs at most 4 write units each and 20 for all: %i people', async (count) => {
    const principals = people.slice(0, count);
    const name = newName();
    await join(ada, [name]);
    await service.settle();
    service.meter.reset();
    expect((await join(ada, [name], { principals, ...silently })).status).toBe(200);
    await service.settle();
    expect(service.meter.write).toBeLessThanOrEqual(4 * count + 20);
    expect(service.meter.write).toBeGreaterThanOrEqual(count);
  });

  test('Subscribes and notifies all of them once, and peers get one event for each', async () => {
    const name = newName();
    const channelId = await ada.subscribe(name);
    await service.settle();
    const observers = await Promise.all([0, 90, 179].map(person));
    const queues = await listenAll(observers);
    const adas = await ada.listen();

    const { body } = await join(ada, [name], { principals: people });
    expect(body).toMatchObject({ already_subscribed: {}, new_subscription_messages_sent: false });
    const expected = people.map((userId) => [String(userId), [name]]);
    expect(body.subscribed).toEqual(Object.fromEntries(expected));
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId, ...people]);
    await service.settle();

    const added = (await subscriptionEvents(adas)).flatMap(({ user_ids }) => user_ids);
    expect(added.sort((a, b) => a - b)).toEqual(people);
    for (const [index, queue] of queues.entries()) {
      const events = await queue.drain();
      expect(kindsOf(events).filter((kind) => kind === 'subscription/add')).toHaveLength(1);
      expect(kindsOf(events)).not.toContain('message');
      const peers = events.flatMap(({ op, user_ids }) => (op === 'peer_add' ? user_ids : []));
      expect(new Set(peers).size).toBe(peers.length);
      expect(peers).not.toContain(observers[index]?.userId);
    }
  });
});

describe('Subscribing to many channels in one call', () => {
  test('Refuses more than ten thousand pairs of users and channels before it reads any user', async () => {
    const names = Array.from({ length: 101 }, () => newName());
    const principals = Array.from({ length: 100 }, (_, n) => 1_000_000 + n);
    const msg = 'Too many subscriptions in one request (maximum 10000).';
    expectRefusal(await join(ada, names, { principals }), msg);
    expectRefusal(await leave(ada, names, { principals }), msg);
    const create = (length: number) => {
      const subscribers = Array.from({ length }, (_, n) => 1_000_000 + n);
      return ada.post('/channels/create', { name: newName(), subscribers });
    };
    expectRefusal(await create(10_001), msg);
    expectRefusal(await create(5_001), 'No such user');
  });

  test('Creates channels with long descriptions in as many batches as needed', async () => {
    const description = 'x'.repeat(1024);
    const subscriptions = Array.from({ length: 30 }, () => ({ name: newName('long'), description }));
    const queue = await bo.listen({ event_types: ['stream', 'subscription'] });
    const { status, body } = await ada.post('/users/me/subscriptions', { subscriptions });
    expect([status, body.subscribed[ada.userId]]).toEqual([200, subscriptions.map(({ name }) => name)]);
    const created = (await queue.drain()).filter(({ op }) => op === 'create');
    expect(created.length).toBeGreaterThan(1);
    expect(created.flatMap(({ streams }) => streams)).toHaveLength(30);
    await service.settle();
  });
});

describe('Subscribing at the same time', () => {
  test('Creates one channel with both people in it if two create the same channel', async () => {
    for (let round = 0; round < 3; round++) {
      const name = newName('race');
      const replies = await Promise.all([join(ada, [name]), join(bo, [name.toUpperCase()])]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const [first, second] = [await idOf(ada, name), await idOf(bo, name)];
      expect(first).toBe(second);
      expect((await membersOf(ada, first)).body.subscribers).toEqual([ada.userId, bo.userId]);
    }
  });

  test('Creates a private channel for one of two people, and refuses the other', async () => {
    const name = newName('race');
    const replies = await Promise.all([ada, bo].map((client) => join(client, [name], { invite_only: true })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    const loser = replies.find(({ status }) => status === 400);
    expect(loser?.body.msg).toBe(`Unable to access channel (${name}).`);
  });

  test('Subscribes once if the same call runs twice, and one of the two reports it', async () => {
    const name = newName('race');
    await join(bo, [name]);
    await service.settle();
    const queue = await ada.listen({ event_types: ['subscription'] });
    const replies = await Promise.all([join(ada, [name]), join(ada, [name])]);
    expect(replies.map(({ body }) => Object.keys(body.subscribed).length).sort()).toEqual([0, 1]);
    expect(kindsOf(await queue.drain())).toEqual(['subscription/add']);
  });

  test('Subscribes all twenty people who join one channel', async () => {
    const userIds = await createPeople(service, 20);
    const clients = await Promise.all(userIds.map(clientOf));
    const name = newName('race');
    const channelId = await ada.subscribe(name);
    const replies = await Promise.all(clients.map((client) => join(client, [name])));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId, ...userIds]);
    expect((await subscriptionOf(ada, name)).subscriber_count).toBe(21);
  });
});

test('A new channel costs its first subscriber 14.5 read and 31 write units, the note of the bot included', async () => {
  const { meter, owner } = service;
  meter.reset();
  const { status } = await join(owner, ['costly']);
  await service.settle();
  expect(status).toBe(200);
  expect(meter.read).toBeLessThanOrEqual(14.5);
  expect(meter.write).toBeLessThanOrEqual(31);
});

test('A channel costs later subscribers the same inside a folder as outside', async () => {
  const { meter, owner } = service;
  const folder = await makeFolder(owner);
  const [cy, di] = await createUsers(service, 'Cy', 'Di');
  const costOf = async (client: Client, params: Params) => {
    const name = newName();
    await owner.subscribe(name, params);
    await service.settle();
    meter.reset();
    await client.subscribe(name);
    return { read: meter.read, write: meter.write };
  };
  expect(await costOf(cy, {})).toEqual(await costOf(di, { folder_id: folder.id }));
});
