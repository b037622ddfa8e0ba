// The operations getSubscriptionStatus and listSubscriptions.
import { describe, expect, test } from 'vitest';
import { join, leave, newName, subscriptionOf } from '#tests/api/channels/channel-calls.ts';
import { createPeople } from '#tests/api/channels/people.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client } from '#tests/harness/client.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const list = async (client: Client, params = {}) =>
  (await client.get('/users/me/subscriptions', params)).body.subscriptions;
const namesOf = (records: { name: string }[]): string[] => records.map(({ name }) => name);

describe('The own subscriptions', () => {
  test('Have exactly the channels of the caller, public and private, oldest first', async () => {
    const newcomer = await createUser(service, 'Newcomer');
    const [open, secret, left, foreign] = [newName(), newName(), newName(), newName()];
    await join(newcomer, [open]);
    await join(ada, [secret], { invite_only: true, principals: [ada.userId, newcomer.userId] });
    await join(newcomer, [left]);
    await leave(newcomer, [left]);
    await join(ada, [foreign]);
    expect(namesOf(await list(newcomer))).toEqual([open, secret]);
  });

  test('Equal the subscriptions in register', async () => {
    await join(ada, [newName()], { invite_only: true });
    await service.settle();
    for (const include_subscribers of ['true', 'false', 'partial']) {
      const capabilities = { notification_settings_null: true };
      const params = { include_subscribers, client_capabilities: capabilities };
      const { snapshot } = await ada.register(params);
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

  test(
    'Adds all subscribers of channels below 250, and some of larger ones, if partial',
    proves('register-queue.40', 'register-queue.43'),
    async () => {
      const name = newName();
      const userIds = await createPeople(service, 249);
      await join(ada, [name], { principals: userIds });
      await join(ada, [name]);
      const record = await subscriptionOf(ada, name, { include_subscribers: 'partial' });
      expect(record).not.toHaveProperty('subscribers');
      expect(record.partial_subscribers).toContain(ada.userId);
      expect(record.subscriber_count).toBe(250);
      await leave(ada, [name], { principals: [userIds[0]] });
      const { snapshot } = await ada.register({ include_subscribers: 'partial' });
      const registered = snapshot.subscriptions.find((one: { name: string }) => one.name === name);
      for (const smaller of [
        await subscriptionOf(ada, name, { include_subscribers: 'partial' }),
        registered,
      ]) {
        expect(smaller).not.toHaveProperty('partial_subscribers');
        expect(smaller.subscribers).toHaveLength(249);
      }
    },
  );

  test(
    'Adds bots and users active within 14 days to large channels, if partial',
    proves('register-queue.41'),
    async () => {
      const name = newName();
      const userIds = await createPeople(service, 260);
      const bot = await service.createUser('Robot');
      await service.makeBot(bot, ada);
      const [reader, writer] = [await service.createUser('Reader'), await service.createUser('Writer')];
      await join(ada, [name], {
        principals: [...userIds, bot, bo, reader, writer].map((one) =>
          typeof one === 'number' ? one : one.userId,
        ),
      });
      await join(ada, [name]);
      service.advance(15 * 24 * 3600 * 1000);
      await reader.register({ fetch_event_types: ['message'] });
      await writer.send(name, 'x', 'still here');
      const expected = [bot, reader, writer].map(({ userId }) => userId);
      const record = await subscriptionOf(ada, name, { include_subscribers: 'partial' });
      expect(record.partial_subscribers).toEqual(expected);
      const { snapshot } = await reader.register({ include_subscribers: 'partial' });
      const registered = snapshot.subscriptions.find((one: { name: string }) => one.name === name);
      expect(registered.partial_subscribers).toEqual(expected);
      const whole = await subscriptionOf(ada, name, { include_subscribers: true });
      expect(whole.subscribers).toHaveLength(265);
      await reader.register({ fetch_event_types: ['message'] });
      await service.settle();
      service.meter.reset();
      await reader.register({ fetch_event_types: ['message'] });
      expect(service.meter.write).toBe(1);
    },
  );
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
