import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, ReceivedEvent } from '#tests/harness/client.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { join, leave, newName } from '../channel-calls.ts';
import { drainKinds, idOf, kindsOf, subscriptionOf, subscriptionsOf } from '../channel-records.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);

const WANTED = { event_types: ['stream', 'subscription', 'default_streams'] };
const queuesOf = (...clients: Client[]) => listenAll(clients, WANTED);
const find = (events: ReceivedEvent[], kind: string) => events.find((event) => kindsOf([event])[0] === kind);

describe('Creating a public channel', () => {
  test('Sends members the channel and subscriber events', proves('event-queues.12'), async () => {
    const queues = await queuesOf(ada, bo, cy, guest, service.owner);
    const name = newName();
    await join(ada, [name], { principals: [ada.userId, bo.userId] });
    const [adas, bos, cys = [], guests, owners] = await Promise.all(queues.map((queue) => queue.drain()));
    const subscribed = ['stream/create', 'subscription/add'];
    const created = ['stream/create', 'subscription/peer_add'];
    const kinds = [adas, bos, cys, owners].map((events = []) =>
      kindsOf(events.filter(({ op }) => op !== 'update')),
    );
    expect(kinds).toEqual([subscribed, subscribed, created, created]);
    expect(guests).toEqual([]);
    const { stream_id } = await subscriptionOf(ada, name);
    expect(find(cys, 'stream/create')).toMatchObject({ streams: [{ stream_id, name }] });
    const event = { type: 'subscription', op: 'peer_add', id: expect.any(Number) };
    const pairs = { stream_ids: [stream_id], user_ids: [ada.userId, bo.userId] };
    expect(find(cys, 'subscription/peer_add')).toEqual({ ...event, ...pairs });
  });

  test('Sends each subscriber the whole record, with all subscribers', async () => {
    const [queue] = await queuesOf(bo);
    const name = newName();
    await join(ada, [name], { principals: [ada.userId, bo.userId] });
    const added = find((await queue?.drain()) ?? [], 'subscription/add');
    const record = await subscriptionOf(bo, name, { include_subscribers: true });
    expect(added?.subscriptions).toEqual([
      {
        ...record,
        first_message_id: null,
        desktop_notifications: false,
        audible_notifications: false,
        push_notifications: false,
        email_notifications: false,
        wildcard_mentions_notify: true,
      },
    ]);
    expect(record.subscribers).toEqual([ada.userId, bo.userId]);
  });

  test('Sends default channels to every user except guests', proves('subscribe.17'), async () => {
    const queues = await queuesOf(bo, guest);
    const name = newName();
    await join(service.owner, [name], { is_default_stream: true });
    const [bos = [], guests = []] = await Promise.all(queues.map((queue) => queue.drain()));
    expect(find(bos, 'default_streams')?.default_streams).toContain(await idOf(bo, name));
    expect(guests).toEqual([]);
  });
});

test('Creating a private channel notifies subscribers and administrators only', async () => {
  const queues = await queuesOf(ada, guest, service.owner, cy);
  await join(ada, [newName()], { invite_only: true, principals: [ada.userId, guest.userId] });
  const kinds = await Promise.all(queues.map(drainKinds));
  const subscribed = ['stream/create', 'subscription/add'];
  expect(kinds).toEqual([subscribed, subscribed, ['stream/create', 'subscription/peer_add'], []]);
});

describe('Subscribing to a channel that exists', () => {
  test('Sends the channel first to newcomers who could not know it: guests, and anyone for a private one', async () => {
    const [open, secret] = [newName(), newName()];
    await join(ada, [open]);
    await join(ada, [secret], { invite_only: true });
    await service.settle();
    const queues = await queuesOf(guest, bo, service.owner, ada);
    await join(ada, [open, secret], { principals: [guest.userId, bo.userId, service.owner.userId] });
    const peers = ['subscription/peer_add', 'subscription/peer_add'];
    expect(await Promise.all(queues.map(drainKinds))).toEqual([
      ['stream/create', 'stream/create', 'subscription/add'],
      ['stream/create', 'subscription/add'],
      ['subscription/add'],
      peers,
    ]);
  });

  test('Sends no event if nothing is new', async () => {
    const name = newName();
    await join(ada, [name]);
    await service.settle();
    const [queue] = await queuesOf(ada);
    await join(ada, [name]);
    expect(await queue?.drain()).toEqual([]);
  });
});

describe('Snapshot and events agree when', () => {
  const observers = () => [ada, bo, cy, guest, service.owner];

  test('Channels of every kind are created', async () => {
    await expectConsistentSnapshot(service, observers(), async () => {
      await join(ada, [newName(), newName()]);
      await join(ada, [newName()], { invite_only: true });
      await join(ada, [newName()], { principals: [bo.userId, guest.userId] });
      await join(ada, [newName()], { principals: [bo.userId, guest.userId], invite_only: true });
      await join(ada, [newName()], { principals: [service.owner.userId], invite_only: true });
      await join(service.owner, [newName(), newName()], { is_default_stream: true });
      await join(ada, [newName()], { invite_only: true, history_public_to_subscribers: true });
    });
  });

  test('People join channels, leave them and return', async () => {
    const [open, secret] = [newName(), newName()];
    await join(ada, [open]);
    await join(ada, [secret], { invite_only: true });
    await service.settle();
    await expectConsistentSnapshot(service, observers(), async () => {
      await join(bo, [open]);
      await join(ada, [open, secret], { principals: [bo.userId, guest.userId, service.owner.userId] });
      await ada.send(secret, 'plan', 'before');
      await leave(bo, [open]);
      await leave(guest, [open, secret]);
      await join(ada, [open, secret], { principals: [guest.userId] });
      await ada.send(secret, 'plan', 'after');
      await leave(service.owner, [secret]);
      await leave(ada, [secret]);
    });
  });

  test('People join at the same time', async () => {
    const name = newName();
    await join(ada, [name]);
    await service.settle();
    await expectConsistentSnapshot(service, [cy, guest, service.owner], async () => {
      const invited = join(ada, [name], { principals: [guest.userId] });
      const calls = [join(bo, [name]), join(cy, [newName()]), invited];
      for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    });
  });
});

const PALETTE = '#76ce90 #fae589 #a6c7e5 #e79ab5 #bfd56f #f4ae55 #b0a5fd #addfe5 #f5ce6e'.split(' ');

describe('The colour of a subscription', () => {
  test('Starts as the first of the palette that the user does not have yet', async () => {
    const newcomer = await createUser(service, 'Newcomer');
    await join(newcomer, [newName(), newName()]);
    await join(newcomer, [newName()]);
    const colors = (await subscriptionsOf(newcomer)).map(({ color }: { color: string }) => color);
    expect(colors).toEqual(PALETTE.slice(0, colors.length));
  });

  test('Applies to the caller alone if the caller chooses it', async () => {
    const name = newName();
    const subscriptions = [{ name, color: '#ABCDEF' }];
    await ada.post('/users/me/subscriptions', { subscriptions, principals: [ada.userId, bo.userId] });
    expect((await subscriptionOf(ada, name)).color).toBe('#abcdef');
    expect((await subscriptionOf(bo, name)).color).not.toBe('#abcdef');
  });

  test('Stays while the user is away, unless they choose another', async () => {
    const name = newName();
    const choose = (color?: string) =>
      bo.post('/users/me/subscriptions', { subscriptions: [{ name, color }] });
    await choose('#123456');
    await leave(bo, [name]);
    await choose();
    expect((await subscriptionOf(bo, name)).color).toBe('#123456');
    await leave(bo, [name]);
    await choose('#654321');
    expect((await subscriptionOf(bo, name)).color).toBe('#654321');
  });
});
