import { describe, expect, test } from 'vitest';
import { readCounter } from '#shared/store/log/log.ts';
import { people } from '#tests/api/user-groups/group-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { edit, expectEachRefused, join, leave, newName, OWNERS_ONLY, openChannel } from './channel-calls.ts';
import { idOf, recordOf, subscriptionOf } from './channel-records.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);
const admin = await createUser(service, 'Admin', 200);

const { owner } = service;
const open = (params: Params = {}) => openChannel(service, [ada], params);
const defaultChannels = async (): Promise<number[]> =>
  (await bo.register({ fetch_event_types: ['default_streams'] })).snapshot.realm_default_streams;
const editsOf = (channelId: number, name: string, updates: Params): Params[] => {
  const about = { type: 'stream', op: 'update', id: expect.any(Number), stream_id: channelId, name };
  return Object.entries(updates).map(([property, value]) => ({ ...about, property, value }));
};
const REFUSED = 'Insufficient permission';

/** The request, and the event of every client. */
const CHANGES: [property: string, sent: unknown, announced: unknown, besides?: Params][] = [
  ['message_retention_days', 30, 30],
  ['message_retention_days', 'unlimited', -1],
  ['topics_policy', 'disable_empty_topic', 'disable_empty_topic'],
  ['topics_policy', '"allow_empty_topic"', 'allow_empty_topic'],
  ['can_create_topic_group', { new: 4 }, 4],
  ['can_delete_any_message_group', { new: 4, old: 1 }, 4],
  ['can_delete_own_message_group', { new: 7 }, 7],
  ['can_move_messages_out_of_channel_group', { new: 6 }, 6],
  ['can_move_messages_within_channel_group', { new: { direct_members: [], direct_subgroups: [4] } }, 4],
  ['can_remove_subscribers_group', { new: 1, old: 3 }, 1],
  ['can_resolve_topics_group', { new: 7 }, 7],
  ['can_send_message_group', { new: 3, old: 7 }, 3, { stream_post_policy: 2, is_announcement_only: true }],
  ['can_send_message_group', { new: 4 }, 4, { stream_post_policy: 4 }],
  ['can_send_message_group', { new: 6 }, 6],
  ['can_administer_channel_group', { new: 4 }, 4],
  ['can_add_subscribers_group', { new: 6 }, 6],
];
const DESCRIPTION = 'two\nlines <script>alert(1)</script> **bold**';

describe('Each property of a channel', () => {
  test('Changes with one event, and a client with the event equals a new client', async () => {
    const channels: TestChannel[] = [];
    for (const _ of CHANGES) channels.push(await open());
    const [described, renamed, standard] = [await open(), await open(), await open()];
    const queue = await bo.listen({ event_types: ['stream'] });
    await expectConsistentSnapshot(service, [owner, admin, ada, bo, guest], async () => {
      for (const [index, { name, channelId }] of channels.entries()) {
        const [property, sent, announced, besides] = CHANGES[index] as (typeof CHANGES)[number];
        const updates = { [property]: announced, ...besides };
        const change = `${property}: ${JSON.stringify(sent)}`;
        expect((await edit(owner, channelId, { [property]: sent })).status, change).toBe(200);
        await service.settle();
        const events = (await queue.drain()).filter((event) => event.property !== 'first_message_id');
        expect(events, change).toEqual(editsOf(channelId, name, updates));
        expect(await recordOf(bo, channelId), change).toMatchObject(updates);
        const again = property.startsWith('can_') ? { new: (sent as { new: unknown }).new } : sent;
        expect((await edit(owner, channelId, { [property]: again })).status, change).toBe(200);
        await service.settle();
        expect(await queue.drain(), change).toEqual([]);
      }
      await edit(ada, described.channelId, { description: DESCRIPTION });
      await edit(ada, renamed.channelId, { new_name: ` ${newName('renamed')} ` });
      await edit(admin, standard.channelId, { is_default_stream: true });
    });
  });

  test('The description is one line of Markdown, and its content is never executed', async () => {
    const { name, channelId } = await open();
    const queue = await bo.listen({ event_types: ['stream'] });
    await edit(ada, channelId, { description: DESCRIPTION });
    const [event] = await queue.drain();
    expect(event).toMatchObject({ name, property: 'description', value: DESCRIPTION.replace('\n', ' ') });
    expect(event?.rendered_description).toContain('<strong>bold</strong>');
    expect(event?.rendered_description).not.toContain('<script>');
    expect((await recordOf(bo, channelId)).rendered_description).toBe(event?.rendered_description);
  });

  test('The name event carries the old name, and later messages appear under the new name', async () => {
    const { name, channelId } = await open();
    const queue = await bo.listen({ event_types: ['stream'] });
    const renamed = newName('renamed');
    await edit(ada, channelId, { new_name: ` ${renamed} ` });
    expect(await queue.drain()).toEqual(editsOf(channelId, name, { name: renamed }));
    expect(await idOf(bo, renamed)).toBe(channelId);
    expectRefusal(await bo.get('/get_stream_id', { stream: name }), `Invalid channel name '${name}'`);
    await ada.subscribe(name);
  });

  test('The default for mobile notifications applies to people who subscribe for the first time', async () => {
    const { name, channelId } = await open();
    const push = async (client: Client) => (await subscriptionOf(client, name)).push_notifications;
    const [on, off] = [{ default_push_notifications: true }, { default_push_notifications: false }];
    const queue = await bo.listen({ event_types: ['stream'] });
    await expectConsistentSnapshot(service, [owner, ada, bo], async () => {
      expectRefusal(await edit(ada, channelId, on), REFUSED);
      expect((await edit(ada, channelId, off)).status).toBe(200);
      expect((await edit(admin, channelId, on)).status).toBe(200);
      expect(await recordOf(bo, channelId)).toMatchObject(on);
      await bo.subscribe(name);
    });
    expect([await push(bo), await push(ada)]).toEqual([true, null]);
    expect(await queue.drain()).toMatchObject(editsOf(channelId, name, on));
    await leave(ada, [name]);
    await ada.subscribe(name);
    expect(await push(ada)).toBe(null);
    const fresh = newName();
    expectRefusal(await join(ada, [fresh], on), REFUSED);
    expect((await join(admin, [fresh], on)).status).toBe(200);
  });

  test('The name may change its letter case and composition, and stays taken', async () => {
    const name = newName('Cafe\u0301');
    const channelId = await ada.subscribe(name);
    expect((await edit(ada, channelId, { new_name: name.normalize('NFC').toUpperCase() })).status).toBe(200);
    const other = await open();
    for (const taken of [name, name.normalize('NFC').toLowerCase()])
      expectRefusal(await edit(ada, other.channelId, { new_name: taken }), 'Channel name already in use.');
    expect(await idOf(bo, name)).toBe(channelId);
  });

  test('The name goes to one channel if two are renamed to it at once', async () => {
    const channels = [await open(), await open()];
    const new_name = newName('wanted');
    const replies = await Promise.all(channels.map(({ channelId }) => edit(ada, channelId, { new_name })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('A request without properties succeeds and sends no event', async () => {
    const [{ channelId }, queue] = [await open(), await ada.listen()];
    expect([(await edit(ada, channelId, {})).status, await queue.drain()]).toEqual([200, []]);
  });
});

describe('Editing a channel is refused without any effect for', () => {
  test('Invalid values', proves('subscribe.21'), async () => {
    const { name, channelId } = await open();
    const other = await open();
    const emptyTopicOnly =
      'To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming other topics to general chat.';
    const internet = "'can_send_message_group' setting cannot be set to 'role:internet' group.";
    const unknown = { direct_members: [9999], direct_subgroups: [] };
    await expectEachRefused(
      (params) => edit(owner, channelId, params),
      [
        [{ new_name: name }, 'Channel already has that name.'],
        [{ new_name: other.name.toUpperCase() }, 'Channel name already in use.'],
        [{ new_name: ' ' }, "Channel name can't be empty."],
        [{ new_name: 'a\u0000b' }, 'Invalid character in channel name, at position 2.'],
        [{ description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
        [{ history_public_to_subscribers: false }, 'Invalid parameters'],
        [{ is_private: true, is_web_public: true }, 'Invalid parameters'],
        [{ is_web_public: true }, 'Web-public channels are not enabled.'],
        [{ is_private: true, is_default_stream: true }, 'A default channel cannot be private.'],
        [{ message_retention_days: 0 }, "Bad value for 'message_retention_days': 0"],
        [{ topics_policy: 'none' }, 'Invalid topics_policy'],
        [{ topics_policy: 'empty_topic_only' }, emptyTopicOnly],
        [{ folder_id: 4711 }, 'Invalid channel folder ID'],
        [{ is_archived: true }, 'Invalid is_archived'],
        [{ can_send_message_group: { new: 99 } }, 'Invalid user group ID: 99'],
        [{ can_send_message_group: { new: 8 } }, internet],
        [{ can_send_message_group: { new: unknown } }, 'Invalid user ID: 9999'],
        [{ description: 'new', new_name: '' }, "Channel name can't be empty."],
      ],
    );
    expect(await recordOf(ada, channelId)).toMatchObject({ name, description: '' });
  });

  test('A setting whose current value is not the one that the caller states', async () => {
    const { channelId } = await open();
    const stale = await edit(ada, channelId, { can_send_message_group: { new: 4, old: 3 } });
    const code = 'EXPECTATION_MISMATCH';
    expectRefusal(stale, "'old' value does not match the expected value.", { code });
    const same = { can_administer_channel_group: { new: people(ada), old: people(ada) } };
    expect((await edit(ada, channelId, same)).status).toBe(200);
  });
});

describe('The right to edit a channel', () => {
  test('Belongs to administrators and channel administrators only', proves('subscribe.22'), async () => {
    const { channelId } = await open({ can_administer_channel_group: people(cy) });
    for (const client of [owner, admin, cy])
      expect((await edit(client, channelId, { description: `by ${client.userId}` })).status).toBe(200);
    for (const client of [ada, bo])
      expectRefusal(await edit(client, channelId, { description: 'no' }), REFUSED);
    expectRefusal(await edit(guest, channelId, { description: 'no' }), 'Invalid channel ID');
  });

  test('Never belongs to guests, not even in the group', async () => {
    const { name, channelId } = await open({ can_administer_channel_group: people(guest) });
    await join(ada, [name], { principals: [guest.userId] });
    expectRefusal(await edit(guest, channelId, { description: 'no' }), REFUSED);
  });

  test('Requires an owner for retention, and an administrator for default channels', async () => {
    const { channelId } = await open();
    for (const client of [ada, admin])
      expectRefusal(await edit(client, channelId, { message_retention_days: 5 }), ...OWNERS_ONLY);
    expectRefusal(await edit(ada, channelId, { is_default_stream: true }), REFUSED);
    expect((await edit(admin, channelId, { is_default_stream: true })).status).toBe(200);
    expect(await defaultChannels()).toContain(channelId);
    expectRefusal(await edit(ada, channelId, { is_private: true }), 'A default channel cannot be private.');
    const both = { is_default_stream: false, is_private: true };
    expect((await edit(owner, channelId, both)).status).toBe(200);
    expect(await defaultChannels()).not.toContain(channelId);
  });

  test('Follows the organization for the policies of topics and of deletion', async () => {
    const { channelId } = await open();
    expectRefusal(await edit(ada, channelId, { can_delete_own_message_group: { new: 7 } }), REFUSED);
    const allow = (group: number) => owner.patch('/realm', { can_set_topics_policy_group: { new: group } });
    await allow(3);
    const params = { topics_policy: 'allow_empty_topic' };
    expectRefusal(await edit(ada, channelId, params), REFUSED);
    expectRefusal(await join(ada, [newName()], params), REFUSED);
    expect((await edit(admin, channelId, params)).status).toBe(200);
    await allow(6);
  });

  test('Does not let outside administrators change readers', proves('subscribe.22'), async () => {
    const { channelId } = await open({ invite_only: true });
    expect((await edit(admin, channelId, { description: 'ours' })).status).toBe(200);
    for (const params of [
      { is_private: false },
      { history_public_to_subscribers: true },
      { can_add_subscribers_group: { new: 6 } },
      { can_subscribe_group: { new: 6 } },
    ]) {
      expectRefusal(await edit(admin, channelId, params), REFUSED);
      for (const id of [channelId, 99_999]) expectRefusal(await edit(bo, id, params), 'Invalid channel ID');
    }
    expect((await edit(ada, channelId, { can_add_subscribers_group: { new: 6 } })).status).toBe(200);
  });
});

test('An edit to the current values changes nothing, and the log stays as it is', async () => {
  const { table } = service.services;
  const channelId = await owner.subscribe('plans');
  await edit(owner, channelId, { description: 'What comes next' });
  await service.settle();
  const before = await readCounter(table);
  for (const params of [
    { description: 'What comes next' },
    { is_private: false, history_public_to_subscribers: true },
    { is_default_stream: false, is_archived: false },
    { topics_policy: 'inherit', message_retention_days: 'realm_default' },
  ]) {
    const { status } = await edit(owner, channelId, params);
    expect([params, status, await readCounter(table)]).toEqual([params, 200, before]);
  }
});
