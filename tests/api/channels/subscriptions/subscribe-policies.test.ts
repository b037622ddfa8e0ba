import { describe, expect, test } from 'vitest';
import { groupKeys } from '#shared/table/keys/groups.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { join, newName } from '#tests/api/channels/channel-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const GROUP = 21;

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);
const { table } = service.services;
const group = { groupId: GROUP, name: 'crew', isDeactivated: false, subgroupIds: [] };
await table.write({ kind: 'put', item: { ...groupKeys.group(GROUP), ...group } });
const userIds = new Set([bo.userId, guest.userId]);
await table.write({ kind: 'put', item: { ...groupKeys.members(GROUP, 0), userIds } });

const post = (client: Client, to: string, topic: string) =>
  client.post('/messages', { type: 'channel', to, topic, content: 'x' });

describe('User-made groups decide in a channel', () => {
  test('Whether a user may post and start topics', async () => {
    const name = newName();
    await join(ada, [name], {
      principals: [ada.userId, bo.userId, cy.userId],
      can_send_message_group: GROUP,
      can_create_topic_group: { direct_members: [], direct_subgroups: [GROUP] },
    });
    expect((await post(bo, name, 'new')).status).toBe(200);
    for (const client of [ada, cy])
      expectRefusal(await post(client, name, 'new'), 'You do not have permission to post in this channel.');
    const topics = newName();
    await join(ada, [topics], { can_create_topic_group: GROUP });
    const refusal = 'You do not have permission to create new topics in this channel.';
    expectRefusal(await post(cy, topics, 'new'), refusal);
    expect((await post(bo, topics, 'new')).status).toBe(200);
    expect((await post(cy, topics, 'NEW')).status).toBe(200);
  });

  test(
    'Whether a user may join a private channel and add others, guests included if allowed',
    proves('subscribe.4'),
    async () => {
      const [joining, adding] = [newName(), newName()];
      await join(ada, [joining], { invite_only: true, can_subscribe_group: GROUP });
      await join(ada, [adding], { invite_only: true, can_add_subscribers_group: GROUP });
      expect((await join(guest, [joining])).status).toBe(200);
      expect((await join(bo, [joining])).status).toBe(200);
      expectRefusal(await join(cy, [joining]), `Unable to access channel (${joining}).`);
      expect((await join(bo, [adding], { principals: [cy.userId] })).status).toBe(200);
      expectRefusal(await join(guest, [adding]), 'Must be an organization member', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
    },
  );

  test('Whether a user may remove others', async () => {
    const name = newName();
    const principals = [ada.userId, bo.userId, cy.userId];
    await join(ada, [name], { principals, can_remove_subscribers_group: GROUP });
    const remove = (client: Client) =>
      client.delete('/users/me/subscriptions', { subscriptions: [name], principals: [ada.userId] });
    expectRefusal(await remove(cy), 'Insufficient permission');
    expect((await remove(bo)).body.removed).toEqual([name]);
  });
});

describe('The empty topic', () => {
  const setPolicy = (topics_policy: string) =>
    service.services.table.write({
      kind: 'update',
      key: organizationKeys.organization(),
      set: { settings: { topics_policy } },
    });

  test('Follows the organization if a channel inherits its policy, and the channel otherwise', async () => {
    const [inherits, allows] = [newName(), newName()];
    await join(ada, [inherits]);
    await join(ada, [allows], { topics_policy: 'allow_empty_topic' });
    expect((await post(ada, inherits, '')).status).toBe(200);
    await setPolicy('disable_empty_topic');
    expectRefusal(
      await post(ada, inherits, ''),
      'Sending messages to the general chat is not allowed in this channel.',
    );
    expect((await post(ada, inherits, 'named')).status).toBe(200);
    expect((await post(ada, allows, '')).status).toBe(200);
    await setPolicy('allow_empty_topic');
  });
});

describe('A renamed channel', () => {
  test('Shows its messages under its new name', async () => {
    const [name, renamed] = [newName(), newName()];
    const channelId = await ada.subscribe(name);
    const id = await ada.send(name, 'x', 'before');
    await ada.patch(`/streams/${channelId}`, { new_name: renamed });
    expect((await ada.get(`/messages/${id}`)).body.message.display_recipient).toBe(renamed);
    const narrow = [{ operator: 'channel', operand: renamed }];
    const { body } = await ada.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
    const names = body.messages.map((one: Params) => one.display_recipient);
    expect(new Set(names)).toEqual(new Set([renamed]));
  });
});
