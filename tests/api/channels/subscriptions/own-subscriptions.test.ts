// The operations getSubscriptionStatus, listSubscriptions, editSubscription and editSubscriptionProperties.
import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { expectEachRefused, join, leave, newName, PLAIN_PROPERTIES } from '../channel-calls.ts';
import { findByName, subscriptionOf } from '../channel-records.ts';
import { createPeople } from '../people.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const list = async (client: Client, params = {}) =>
  (await client.get('/users/me/subscriptions', params)).body.subscriptions;
const partial = { include_subscribers: 'partial' };
/** What register and the list of subscriptions say of a channel, if subscribers are partial. */
const partialRecords = async (client: Client, name: string) => {
  const { snapshot } = await client.register(partial);
  return [await subscriptionOf(client, name, partial), findByName(snapshot.subscriptions, name)];
};

describe('The own subscriptions', () => {
  test('Have exactly the channels of the caller, public and private, oldest first', async () => {
    const newcomer = await createUser(service, 'Newcomer');
    const [open, secret, left, foreign] = [newName(), newName(), newName(), newName()];
    await join(newcomer, [open]);
    await join(ada, [secret], { invite_only: true, principals: [ada.userId, newcomer.userId] });
    await join(newcomer, [left]);
    await leave(newcomer, [left]);
    await join(ada, [foreign]);
    expect(await list(newcomer)).toMatchObject([{ name: open }, { name: secret }]);
  });

  test('Equal the subscriptions in register', async () => {
    await join(ada, [newName()], { invite_only: true });
    await service.settle();
    const client_capabilities = { notification_settings_null: true };
    for (const include_subscribers of ['true', 'false', 'partial']) {
      const { snapshot } = await ada.register({ include_subscribers, client_capabilities });
      expect(await list(ada, { include_subscribers })).toEqual(snapshot.subscriptions);
    }
  });
});

describe('include_subscribers', () => {
  test('Adds subscribers if true or partial, and not if false or absent', async () => {
    const name = newName();
    await join(ada, [name], { principals: [bo.userId, ada.userId] });
    const subscribers = [ada.userId, bo.userId];
    for (const include_subscribers of [true, 'true', '"true"', 'partial', '"partial"'])
      expect(await subscriptionOf(ada, name, { include_subscribers })).toMatchObject({ subscribers });
    for (const params of [{}, { include_subscribers: false }, { include_subscribers: 'false' }]) {
      const record = await subscriptionOf(ada, name, params);
      expect(record).not.toHaveProperty('subscribers');
      expect(record.subscriber_count).toBe(2);
    }
  });

  const sizes = proves('register-queue.40', 'register-queue.43');
  test('Adds all subscribers below 250, and some of larger channels, if partial', sizes, async () => {
    const name = newName();
    const userIds = await createPeople(service, 249);
    await join(ada, [name], { principals: userIds });
    await join(ada, [name]);
    for (const record of await partialRecords(ada, name)) {
      expect(record).not.toHaveProperty('subscribers');
      expect(record.partial_subscribers).toContain(ada.userId);
      expect(record.subscriber_count).toBe(250);
    }
    await leave(ada, [name], { principals: [userIds[0]] });
    for (const record of await partialRecords(ada, name)) {
      expect(record).not.toHaveProperty('partial_subscribers');
      expect(record.subscribers).toHaveLength(249);
    }
  });

  test('Adds bots and people active within 14 days, if partial', proves('register-queue.41'), async () => {
    const name = newName();
    const [bot, reader, writer] = await createUsers(service, 'Robot', 'Reader', 'Writer');
    await service.makeBot(bot, ada);
    const ids = [ada, bot, bo, reader, writer].map(({ userId }) => userId);
    await join(ada, [name], { principals: [...(await createPeople(service, 260)), ...ids] });
    service.advance(15 * 24 * 3600 * 1000);
    await reader.register({ fetch_event_types: ['message'] });
    await writer.send(name, 'x', 'still here');
    const expected = [bot, reader, writer].map(({ userId }) => userId);
    for (const client of [ada, reader])
      expect((await subscriptionOf(client, name, partial)).partial_subscribers).toEqual(expected);
    const { snapshot } = await reader.register(partial);
    expect(findByName(snapshot.subscriptions, name)).toMatchObject({ partial_subscribers: expected });
    const whole = await subscriptionOf(ada, name, { include_subscribers: true });
    expect(whole.subscribers).toHaveLength(265);
    await reader.register({ fetch_event_types: ['message'] });
    await service.settle();
    service.meter.reset();
    await reader.register({ fetch_event_types: ['message'] });
    expect(service.meter.write).toBe(1);
  });
});

test('The subscription of another user is returned if the caller may know the channel', async () => {
  const name = newName();
  const channelId = await ada.subscribe(name);
  const status = async (client: Client, user: Client): Promise<boolean> =>
    (await client.get(`/users/${user.userId}/subscriptions/${channelId}`)).body.is_subscribed;
  expect([await status(bo, ada), await status(ada, bo)]).toEqual([true, false]);
  await leave(ada, [name]);
  expect(await status(bo, ada)).toBe(false);
});

const name = newName();
const guest = await createUser(service, 'Guest', 600);
const channelId = await ada.subscribe(name);
await join(ada, [name], { principals: [bo.userId, guest.userId] });
await service.settle();

const set = (client: Client, ...data: Params[]) =>
  client.post('/users/me/subscriptions/properties', { subscription_data: data });
const row = (property: string, value: unknown): Params => ({ stream_id: channelId, property, value });

describe('Editing properties of subscriptions', () => {
  test.each(PLAIN_PROPERTIES)(
    'Stores %s and sends it only to the other clients of its owner',
    async (property, value) => {
      const [mine, others] = await Promise.all([ada.listen(), bo.listen()]);
      await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
        expect((await set(ada, row(property, value))).body).toEqual({ result: 'success', msg: '' });
      });
      expect(await mine.drain()).toEqual([
        { type: 'subscription', op: 'update', id: expect.any(Number), stream_id: channelId, property, value },
      ]);
      expect(await others.drain()).toEqual([]);
      expect((await subscriptionOf(ada, name))[property]).toBe(value);
      await set(ada, row(property, value));
      expect(await mine.drain()).toEqual([]);
    },
  );

  test.each<[string, boolean]>([
    ['is_muted', true],
    ['in_home_view', true],
    ['in_home_view', false],
  ])('Sends for %s %s the old name and then the new name', async (property, value) => {
    const isMuted = property === 'is_muted' ? value : !value;
    await set(ada, row('is_muted', !isMuted));
    await bo.send(name, 'x', 'counts if it is not muted');
    const queue = await ada.listen({ event_types: ['subscription'] });
    await expectConsistentSnapshot(service, [ada], () => set(ada, row(property, value)));
    expect((await queue.drain()).map((event) => [event.property, event.value])).toEqual([
      ['in_home_view', !isMuted],
      ['is_muted', isMuted],
    ]);
    expect(await subscriptionOf(ada, name)).toMatchObject({ is_muted: isMuted, in_home_view: !isMuted });
  });

  test('Applies the last value if a request names a property twice, for several channels at once', async () => {
    const other = newName();
    const otherId = await ada.subscribe(other);
    const pinned = { ...row('pin_to_top', true), stream_id: otherId };
    await set(ada, row('color', '#000001'), row('color', '#ABCDEF'), pinned);
    expect((await subscriptionOf(ada, name)).color).toBe('#abcdef');
    expect((await subscriptionOf(ada, other)).pin_to_top).toBe(true);
  });

  test('Sets all channels at once, up to the limit of a request', async () => {
    const cy = await createUser(service, 'Cy');
    const names = Array.from({ length: 80 }, () => newName());
    for (const half of [names.slice(0, 40), names.slice(40)]) await join(cy, half);
    const pins = (await list(cy)).map(({ stream_id }: { stream_id: number }) => ({
      ...row('pin_to_top', true),
      stream_id,
    }));
    expect(pins).toHaveLength(80);
    expect((await set(cy, ...pins)).status).toBe(200);
    for (const { pin_to_top } of await list(cy)) expect(pin_to_top).toBe(true);
  });

  test('Works for guests, and in archived channels', async () => {
    await set(guest, row('color', '#aaaaaa'));
    expect((await subscriptionOf(guest, name)).color).toBe('#aaaaaa');
    const archived = newName();
    const archivedId = await ada.subscribe(archived);
    await ada.delete(`/streams/${archivedId}`);
    await set(ada, { ...row('is_muted', true), stream_id: archivedId });
    const { snapshot } = await ada.register({ client_capabilities: { archived_channels: true } });
    expect(findByName(snapshot.subscriptions, archived)).toMatchObject({ is_muted: true });
  });

  test('Keeps the values for a user who leaves and returns', async () => {
    await set(bo, row('pin_to_top', true));
    await leave(bo, [name]);
    await join(bo, [name]);
    expect((await subscriptionOf(bo, name)).pin_to_top).toBe(true);
  });
});

const TOO_MANY = 'Too many channels in one request (maximum 80).';

describe('Editing properties is refused without any effect for', () => {
  test('Unknown properties, wrong values, and channels outside the caller’s subscriptions', async () => {
    const secret = await ada.subscribe(newName(), { invite_only: true });
    const left = newName();
    const leftId = await bo.subscribe(left);
    await leave(bo, [left]);
    const open = await ada.subscribe(newName());
    const mutedIn = (stream_id: number) => ({ ...row('is_muted', true), stream_id });
    await expectEachRefused(
      ({ data }) => set(bo, row('audible_notifications', true), data as Params),
      [
        [{ data: row('name', 'x') }, 'Unknown subscription property: name'],
        [{ data: row('is_muted', 'yes') }, 'is_muted is not a boolean'],
        [{ data: row('color', 'red') }, 'color is not a valid hex color code'],
        [{ data: mutedIn(open) }, `Not subscribed to channel ID ${open}`],
        [{ data: mutedIn(leftId) }, `Not subscribed to channel ID ${leftId}`],
        [{ data: mutedIn(secret) }, 'Invalid channel ID'],
        [{ data: mutedIn(99_999) }, 'Invalid channel ID'],
      ],
    );
    expect((await subscriptionOf(bo, name)).audible_notifications).not.toBe(true);
  });

  test('More channels than one request may name', async () => {
    const many = Array.from({ length: 81 }, (_, n) => ({ ...row('is_muted', true), stream_id: n + 1 }));
    expectRefusal(await set(ada, ...many), TOO_MANY);
  });

  test('More than 1000 edits, however few their channels', async () => {
    const most = Array.from({ length: 1000 }, (_, n) => row('is_muted', n % 2 === 0));
    expect((await set(ada, ...most)).status).toBe(200);
    expect((await subscriptionOf(ada, name)).is_muted).toBe(false);
    expectRefusal(await set(ada, ...most, row('is_muted', true)), TOO_MANY);
    expect((await subscriptionOf(ada, name)).is_muted).toBe(false);
  });
});

const setOne = (client: Client, property: string, value: unknown, id: number = channelId) =>
  client.patch(`/users/me/subscriptions/${id}`, { property, value });

describe('Editing one property of a subscription', () => {
  test('Sends the old name and then the new name for is_muted', async () => {
    const queue = await guest.listen({ event_types: ['subscription'] });
    await expectConsistentSnapshot(service, [guest], () => setOne(guest, 'in_home_view', false));
    expect(await queue.drain()).toMatchObject([
      { property: 'in_home_view', value: false },
      { property: 'is_muted', value: true },
    ]);
  });

  test('Accepts a colour in quotes, as in JSON', async () => {
    expect((await setOne(bo, 'color', '"#ABCDEF"')).status).toBe(200);
    expect((await subscriptionOf(bo, name)).color).toBe('#abcdef');
  });
});

describe('Editing one property is refused for', () => {
  test.each<[string, unknown, string]>([
    ['loudness', true, 'Unknown subscription property: loudness'],
    ['pin_to_top', 'yes', 'pin_to_top is not a boolean'],
    ['color', 'red', 'color is not a valid hex color code'],
    ['is_muted', 1, 'value is not a boolean'],
  ])('The property %s with the value %j', async (property, value, msg) => {
    const before = await subscriptionOf(ada, name);
    expectRefusal(await setOne(ada, property, value), msg);
    expect(await subscriptionOf(ada, name)).toEqual(before);
  });

  test('A channel that the caller is not in, or that does not exist', async () => {
    const open = await bo.subscribe(newName());
    expectRefusal(await setOne(ada, 'pin_to_top', true, open), `Not subscribed to channel ID ${open}`);
    expectRefusal(await setOne(ada, 'pin_to_top', true, 99_999), 'Invalid channel ID');
  });
});
