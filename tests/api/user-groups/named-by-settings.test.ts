import { describe, expect, test } from 'vitest';
import { defaultOrganizationGroups } from '#shared/domain/organization/settings.ts';
import { shortName } from '#tests/api/bots/bots.ts';
import { join } from '#tests/api/channels/channel-calls.ts';
import { freshName, uploadEmojiPicture } from '#tests/api/emoji/emoji-calls.ts';
import { tryInvite } from '#tests/api/invitations/invitation-calls.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { create, createGroup, newName, succeeds } from './group-calls.ts';

/** A member of a group within the group that the settings name. */
const service = await startTestService();
const { owner } = service;
const [ada, inside, outside] = await createUsers(service, 'Ada', 'Inside', 'Outside');
const groupId = await createGroup(owner, [], { subgroups: [await createGroup(owner, [inside])] });
const room = await ada.subscribe('room');

type Act = (client: Client) => Promise<Reply>;

const makeBot = (client: Client, bot_type: number) =>
  client.post('/bots', { full_name: 'Helper', short_name: shortName(), bot_type });
/** Changes a channel of the client's own. */
const editOwn = async (client: Client, params: Params) =>
  client.patch(`/streams/${await client.subscribe(newName('channel'))}`, params);
const sendToRoom = (client: Client, topic = 'topic') => client.send(room, topic, 'hello');
const deleteTopic = async (client: Client) => {
  const topic_name = newName('topic');
  await sendToRoom(ada, topic_name);
  return client.post(`/streams/${room}/delete_topic`, { topic_name });
};
const deleteAny: Act = async (client) => client.delete(`/messages/${await sendToRoom(ada)}`);

describe('A group in a setting of the organization allows only members of its subgroups', () => {
  const channel = () => newName('channel');
  const acts: [what: string, setting: keyof typeof defaultOrganizationGroups, act: Act][] = [
    ['add an emoji', 'can_add_custom_emoji_group', (client) => uploadEmojiPicture(client, freshName())],
    ['make a bot', 'can_create_bots_group', (client) => makeBot(client, 1)],
    ['make an incoming webhook', 'can_create_write_only_bots_group', (client) => makeBot(client, 2)],
    ['make a group', 'can_create_groups', (client) => create(client)],
    ['make a channel', 'can_create_public_channel_group', (client) => join(client, [channel()])],
    [
      'make a channel private',
      'can_create_private_channel_group',
      (client) => editOwn(client, { is_private: true }),
    ],
    [
      'set the policy of topics',
      'can_set_topics_policy_group',
      (client) => editOwn(client, { topics_policy: 'disable_empty_topic' }),
    ],
    ['delete any message', 'can_delete_any_message_group', deleteAny],
    ['delete a topic', 'can_delete_any_message_group', deleteTopic],
    [
      'delete an own message',
      'can_delete_own_message_group',
      async (client) => client.delete(`/messages/${await sendToRoom(client)}`),
    ],
    [
      'invite people',
      'can_invite_users_group',
      (client) => tryInvite(client, { invitee_emails: 'a@example.com' }),
    ],
    ['make an invitation link', 'create_multiuse_invite_group', (client) => client.post('/invites/multiuse')],
    [
      'move a message to another topic',
      'can_move_messages_between_topics_group',
      async (client) => client.patch(`/messages/${await sendToRoom(ada)}`, { topic: 'elsewhere' }),
    ],
  ];
  test.each(acts)('The action %s: %s', async (_what, setting, act) => {
    const set = async (name: typeof setting, group: unknown) =>
      succeeds(await owner.patch('/realm', { [name]: { new: group } }));
    // Users who may create all bots may create incoming webhooks.
    const bots = 'can_create_bots_group';
    if (setting === 'can_create_write_only_bots_group') await set(bots, 1);
    await set(setting, groupId);
    expect((await act(outside)).status).toBe(400);
    succeeds(await act(inside));
    for (const name of [setting, bots] as const) await set(name, defaultOrganizationGroups[name]);
  });
});

describe('A group in a setting of a channel allows only members of its subgroups', () => {
  test('To know a private channel, in every request', async () => {
    const name = newName('channel');
    const channelId = await ada.subscribe(name, { invite_only: true, can_subscribe_group: groupId });
    const known = async (client: Client) => [
      (await client.get(`/streams/${channelId}`)).status === 200,
      (await client.get('/get_stream_id', { stream: name })).body.stream_id === channelId,
      (await client.get(`/users/${ada.userId}/channels`)).body.subscribed_channel_ids.includes(channelId),
    ];
    expect(await known(inside)).toEqual([true, true, true]);
    expect(await known(outside)).toEqual([false, false, false]);
  });

  test.each([
    ['delete any message', deleteAny],
    ['delete a topic', deleteTopic],
  ])('The action %s', async (_what, act) => {
    succeeds(await owner.patch(`/streams/${room}`, { can_delete_any_message_group: { new: groupId } }));
    expect((await act(outside)).status).toBe(400);
    succeeds(await act(inside));
    succeeds(await owner.patch(`/streams/${room}`, { can_delete_any_message_group: { new: 1 } }));
  });
});
