import { expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createGroup } from '../user-groups/group-calls.ts';
import { drainKinds, join, leave, membersOf, newName } from './channel-calls.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const moderator = await createUser(service, 'Moderator', 300);
const guest = await createUser(service, 'Guest', 600);

test.each([
  ['can_administer_channel_group', false],
  ['can_add_subscribers_group', false],
  ['can_subscribe_group', true],
])(
  'Members of %s know a private channel and get its events; guests in it: %s',
  proves('subscribe.32'),
  async (setting, guestsToo) => {
    const group = { direct_members: [bo.userId, guest.userId], direct_subgroups: [4] };
    const observers = [ada, bo, cy, moderator, guest, service.owner];
    await expectConsistentSnapshot(service, observers, async () => {
      const queues = await Promise.all([bo, moderator, cy, guest].map((client) => client.listen()));
      const name = newName();
      const channelId = await ada.subscribe(name, { invite_only: true, [setting]: group });
      const kinds = await Promise.all(queues.map(drainKinds));
      const gained = ['stream/create', 'subscription/peer_add'];
      expect(kinds).toEqual([gained, gained, [], guestsToo ? gained : []]);
      expect((await membersOf(bo, channelId)).body.subscribers).toEqual([ada.userId]);
      await join(ada, [name], { principals: [bo.userId, cy.userId, guest.userId] });
      await leave(bo, [name]);
      await leave(service.owner, [name], { principals: [cy.userId, guest.userId] });
      await leave(ada, [name]);
    });
  },
);

test('A creator who is not in a private channel knows it, also after leaving it', async () => {
  await expectConsistentSnapshot(service, [ada, bo], async () => {
    const [forOthers, own] = [newName(), newName()];
    await join(ada, [forOthers], { invite_only: true, principals: [bo.userId] });
    await join(ada, [own], { invite_only: true, principals: [ada.userId, bo.userId] });
    await leave(ada, [own]);
    await leave(bo, [forOthers, own]);
    const { snapshot } = await ada.register();
    const names = snapshot.streams.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining([forOthers, own]));
  });
});

test('A user whom a group lets into a private channel knows it after leaving, and other users do not', async () => {
  const name = newName();
  const can_subscribe_group = await createGroup(ada, [bo]);
  const channelId = await ada.subscribe(name, { invite_only: true, can_subscribe_group });
  await join(ada, [name], { principals: [bo.userId] });
  await expectConsistentSnapshot(service, [ada, bo], () => leave(bo, [name]));
  const streams = (await bo.register()).snapshot.streams;
  expect(streams.map((stream: { name: string }) => stream.name)).toContain(name);
  const subscription_data = [{ stream_id: channelId, property: 'color', value: '#ffffff' }];
  const colour = (client: Client) => client.post('/users/me/subscriptions/properties', { subscription_data });
  expectRefusal(await colour(bo), `Not subscribed to channel ID ${channelId}`);
  expectRefusal(await colour(cy), 'Invalid channel ID');
});
