import { afterAll, describe, expect, test } from 'vitest';
import { join, newName, PLAIN_PROPERTIES, subscriptionOf } from '#tests/api/channels/channel-calls.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const name = newName();
const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
const channelId = await ada.subscribe(name);
await join(ada, [name], { principals: [bo.userId, guest.userId] });
await service.settle();
afterAll(() => service.stop());

const set = (client: Client, property: string, value: unknown, id: number = channelId) =>
  client.patch(`/users/me/subscriptions/${id}`, { property, value });

describe('Editing one property of a subscription', () => {
  test.each(PLAIN_PROPERTIES)(
    'Stores %s and sends it only to the other clients of its owner',
    async (property, value) => {
      const [mine, others] = await Promise.all([ada.listen(), bo.listen()]);
      await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
        const { status, body } = await set(ada, property, value);
        expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
      });
      expect(await mine.drain()).toEqual([
        { type: 'subscription', op: 'update', id: expect.any(Number), stream_id: channelId, property, value },
      ]);
      expect(await others.drain()).toEqual([]);
      expect((await subscriptionOf(ada, name))[property]).toBe(value);
      expect((await set(ada, property, value)).status).toBe(200);
      expect(await mine.drain()).toEqual([]);
    },
  );

  test('Sends the old name and then the new one for is_muted', async () => {
    const queue = await guest.listen({ event_types: ['subscription'] });
    await expectConsistentSnapshot(service, [guest], () => set(guest, 'in_home_view', false));
    expect(await queue.drain()).toMatchObject([
      { property: 'in_home_view', value: false },
      { property: 'is_muted', value: true },
    ]);
  });

  test('Accepts a colour in quotes, as in JSON', async () => {
    expect((await set(bo, 'color', '"#ABCDEF"')).status).toBe(200);
    expect((await subscriptionOf(bo, name)).color).toBe('#abcdef');
  });
});

describe('Editing one property is refused for', () => {
  test.each<[string, unknown, string]>([
    ['loudness', true, 'Unknown subscription property: loudness'],
    ['constructor', true, 'Unknown subscription property: constructor'],
    ['pin_to_top', 'yes', 'pin_to_top is not a boolean'],
    ['color', 'red', 'color is not a valid hex color code'],
    ['color', true, 'color is not a string'],
    ['is_muted', 1, 'value is not a boolean'],
    ['is_muted', null, 'value is not a boolean'],
    ['is_muted', ['true'], 'value is not a boolean'],
  ])('The property %s with the value %j', async (property, value, msg) => {
    const before = await subscriptionOf(ada, name);
    expectRefusal(await set(ada, property, value), msg);
    expect(await subscriptionOf(ada, name)).toEqual(before);
  });

  test('A request without a property or a value', async () => {
    const path = `/users/me/subscriptions/${channelId}`;
    expectMissing(await ada.patch(path, { value: true }), 'property');
    expectMissing(await ada.patch(path, { property: 'is_muted' }), 'value');
  });

  test('A channel that the caller is not in, or that looks like one that does not exist', async () => {
    const open = await bo.subscribe(newName());
    const secret = await bo.subscribe(newName(), { invite_only: true });
    expectRefusal(await set(ada, 'pin_to_top', true, open), `Not subscribed to channel ID ${open}`);
    for (const id of [secret, 99_999])
      expectRefusal(await set(ada, 'pin_to_top', true, id), 'Invalid channel ID');
    expectRefusal(
      await ada.patch('/users/me/subscriptions/x', { property: 'is_muted', value: true }),
      'stream_id is not valid JSON',
    );
  });
});
