import { describe, expect, test } from 'vitest';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { createGroup, groups, people } from '#tests/api/user-groups/group-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { edit, join, leave, MEMBERS_ONLY, newName } from './channel-calls.ts';
import { drainKinds, findByName, membersOf } from './channel-records.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);
const moderator = await createUser(service, 'Moderator', 300);
const crew = await createGroup(ada, [bo, guest]);

const post = (client: Client, to: string, topic: string) =>
  client.post('/messages', { type: 'channel', to, topic, content: 'x' });

describe('User-made groups decide in a channel', () => {
  test('Whether a user may post and start topics', async () => {
    const name = newName();
    const principals = [ada.userId, bo.userId, cy.userId];
    const settings = { can_send_message_group: crew, can_create_topic_group: groups(crew) };
    await join(ada, [name], { principals, ...settings });
    expect((await post(bo, name, 'new')).status).toBe(200);
    for (const client of [ada, cy])
      expectRefusal(await post(client, name, 'new'), 'You do not have permission to post in this channel.');
    const topics = newName();
    await join(ada, [topics], { can_create_topic_group: crew });
    const refusal = 'You do not have permission to create new topics in this channel.';
    expectRefusal(await post(cy, topics, 'new'), refusal);
    expect((await post(bo, topics, 'new')).status).toBe(200);
    expect((await post(cy, topics, 'NEW')).status).toBe(200);
  });

  test('Whether a user may join a private channel and add others', proves('subscribe.4'), async () => {
    const [joining, adding] = [newName(), newName()];
    await join(ada, [joining], { invite_only: true, can_subscribe_group: crew });
    await join(ada, [adding], { invite_only: true, can_add_subscribers_group: crew });
    for (const client of [guest, bo]) expect((await join(client, [joining])).status).toBe(200);
    expectRefusal(await join(cy, [joining]), `Unable to access channel (${joining}).`);
    expect((await join(bo, [adding], { principals: [cy.userId] })).status).toBe(200);
    expectRefusal(await join(guest, [adding]), ...MEMBERS_ONLY);
  });

  test('Whether a user may remove others', async () => {
    const name = newName();
    const principals = [ada.userId, bo.userId, cy.userId];
    await join(ada, [name], { principals, can_remove_subscribers_group: crew });
    const remove = (client: Client) => leave(client, [name], { principals: [ada.userId] });
    expectRefusal(await remove(cy), 'Insufficient permission');
    expect((await remove(bo)).body.removed).toEqual([name]);
  });
});

test('The empty topic follows the organization if a channel inherits its policy', async () => {
  const setPolicy = (topics_policy: string) => {
    const set = { settings: { topics_policy } };
    return service.services.table.write({ kind: 'update', key: organizationKeys.organization(), set });
  };
  const [inherits, allows] = [newName(), newName()];
  await join(ada, [inherits]);
  await join(ada, [allows], { topics_policy: 'allow_empty_topic' });
  expect((await post(ada, inherits, '')).status).toBe(200);
  await setPolicy('disable_empty_topic');
  const refusal = 'Sending messages to the general chat is not allowed in this channel.';
  expectRefusal(await post(ada, inherits, ''), refusal);
  expect((await post(ada, inherits, 'named')).status).toBe(200);
  expect((await post(ada, allows, '')).status).toBe(200);
  await setPolicy('allow_empty_topic');
});

test('A renamed channel shows its messages under its new name', async () => {
  const [name, renamed] = [newName(), newName()];
  const channelId = await ada.subscribe(name);
  const id = await ada.send(name, 'x', 'before');
  await edit(ada, channelId, { new_name: renamed });
  expect((await ada.get(`/messages/${id}`)).body.message.display_recipient).toBe(renamed);
  const narrow = [{ operator: 'channel', operand: renamed }];
  const { body } = await ada.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
  expect(body.messages.length).toBeGreaterThan(0);
  for (const { display_recipient } of body.messages) expect(display_recipient).toBe(renamed);
});

test.each([
  ['can_administer_channel_group', false],
  ['can_add_subscribers_group', false],
  ['can_subscribe_group', true],
])(
  'Members of %s know a private channel and get its events; guests in it: %s',
  proves('subscribe.32'),
  async (setting, guestsToo) => {
    const group = { ...people(bo, guest), direct_subgroups: [4] };
    const observers = [ada, bo, cy, moderator, guest, service.owner];
    await expectConsistentSnapshot(service, observers, async () => {
      const queues = await listenAll([bo, moderator, cy, guest]);
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
    for (const name of [forOthers, own]) expect(findByName(snapshot.streams, name)).toBeDefined();
  });
});

test('A user whom a group lets into a private channel knows it after leaving, and other users do not', async () => {
  const name = newName();
  const can_subscribe_group = await createGroup(ada, [bo]);
  const channelId = await ada.subscribe(name, { invite_only: true, can_subscribe_group });
  await join(ada, [name], { principals: [bo.userId] });
  await expectConsistentSnapshot(service, [ada, bo], () => leave(bo, [name]));
  expect(findByName((await bo.register()).snapshot.streams, name)).toBeDefined();
  const subscription_data = [{ stream_id: channelId, property: 'color', value: '#ffffff' }];
  const colour = (client: Client) => client.post('/users/me/subscriptions/properties', { subscription_data });
  expectRefusal(await colour(bo), `Not subscribed to channel ID ${channelId}`);
  expectRefusal(await colour(cy), 'Invalid channel ID');
});
