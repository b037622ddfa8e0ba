import { describe, expect, test } from 'vitest';
import { groups, people } from '#tests/api/user-groups/group-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectEachRefused, join, MEMBERS_ONLY, newName } from '../channel-calls.ts';
import { membersOf, subscriptionOf, subscriptionsOf } from '../channel-records.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

describe('Subscribing to a channel that does not exist', () => {
  const record = proves('subscribe.2', 'subscribe.14', 'subscribe.15', 'subscribe.20');
  test('Creates it with the record and defaults of the protocol, and the caller in it', record, async () => {
    const name = newName();
    const { body } = await join(ada, [name]);
    const subscribed = { [ada.userId]: [name] };
    const outcome = { subscribed, already_subscribed: {}, new_subscription_messages_sent: true };
    expect(body).toEqual({ result: 'success', msg: '', ...outcome });
    expect(await subscriptionOf(ada, name, { include_subscribers: true })).toEqual({
      stream_id: expect.any(Number),
      name,
      description: '',
      rendered_description: '',
      date_created: expect.any(Number),
      creator_id: ada.userId,
      default_push_notifications: false,
      invite_only: false,
      is_web_public: false,
      is_archived: false,
      history_public_to_subscribers: true,
      first_message_id: expect.toSatisfy((id) => id === null || Number.isInteger(id)),
      folder_id: null,
      is_recently_active: true,
      is_announcement_only: false,
      message_retention_days: null,
      stream_post_policy: 1,
      stream_weekly_traffic: null,
      subscriber_count: 1,
      topics_policy: 'inherit',
      can_add_subscribers_group: 1,
      can_administer_channel_group: { direct_members: [ada.userId], direct_subgroups: [] },
      can_create_topic_group: 7,
      can_delete_any_message_group: 1,
      can_delete_own_message_group: 1,
      can_move_messages_out_of_channel_group: 1,
      can_move_messages_within_channel_group: 1,
      can_remove_subscribers_group: 3,
      can_resolve_topics_group: 1,
      can_send_message_group: 7,
      can_subscribe_group: 1,
      color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      is_muted: false,
      in_home_view: true,
      pin_to_top: false,
      desktop_notifications: null,
      audible_notifications: null,
      push_notifications: null,
      email_notifications: null,
      wildcard_mentions_notify: null,
      subscribers: [ada.userId],
    });
  });

  const parameters = proves('subscribe.8', 'subscribe.14', 'subscribe.20', 'subscribe.group-settings');
  test('Applies the settings of the parameters', parameters, async () => {
    const name = newName();
    const groups = {
      can_add_subscribers_group: 6,
      can_administer_channel_group: { direct_members: [bo.userId, ada.userId], direct_subgroups: [4] },
      can_create_topic_group: 6,
      can_delete_any_message_group: 4,
      can_delete_own_message_group: 7,
      can_move_messages_out_of_channel_group: 3,
      can_move_messages_within_channel_group: 2,
      can_remove_subscribers_group: 4,
      can_resolve_topics_group: 6,
      can_send_message_group: 3,
      can_subscribe_group: 6,
    };
    const settings = {
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      topics_policy: 'empty_topic_only',
      folder_id: null,
      ...groups,
    };
    const subscriptions = [{ name, description: 'What **we**\nplan\n' }];
    await service.owner.post('/users/me/subscriptions', { subscriptions, ...settings });
    expect(await subscriptionOf(service.owner, name)).toMatchObject({
      ...settings,
      description: 'What **we** plan',
      rendered_description: '<p>What <strong>we</strong> plan</p>',
      can_administer_channel_group: { direct_members: [ada.userId, bo.userId], direct_subgroups: [4] },
      stream_post_policy: 2,
      is_announcement_only: true,
    });
  });

  test('Protects the history of private channels by default', proves('subscribe.18'), async () => {
    const [closed, shared] = [newName(), newName()];
    await join(ada, [closed], { invite_only: true });
    await join(ada, [shared], { invite_only: true, history_public_to_subscribers: true });
    expect((await subscriptionOf(ada, closed)).history_public_to_subscribers).toBe(false);
    expect((await subscriptionOf(ada, shared)).history_public_to_subscribers).toBe(true);
  });

  test('Leaves its creator out if only others are named', async () => {
    const name = newName();
    const { body } = await join(ada, [name], { principals: [bo.userId], invite_only: true });
    expect(body.subscribed).toEqual({ [bo.userId]: [name] });
    expect(await subscriptionOf(ada, name)).toBeUndefined();
    expect(await subscriptionOf(bo, name)).toMatchObject({ creator_id: ada.userId, subscriber_count: 1 });
  });

  test('Applies the retention that the owner sets', proves('subscribe.19'), async () => {
    const expected: [unknown, number | null][] = [
      [7, 7],
      ['7', 7],
      ['unlimited', -1],
      ['realm_default', null],
    ];
    for (const [message_retention_days, days] of expected) {
      const name = newName();
      await join(service.owner, [name], { message_retention_days });
      expect((await subscriptionOf(service.owner, name)).message_retention_days).toBe(days);
    }
  });

  test('Stores an empty group as the group of no user, and a group of one group as that group', async () => {
    const name = newName();
    await join(ada, [name], {
      can_send_message_group: people(),
      can_resolve_topics_group: groups(4, 4),
      can_subscribe_group: people(bo, bo),
    });
    expect(await subscriptionOf(ada, name)).toMatchObject({
      can_send_message_group: 1,
      can_resolve_topics_group: 4,
      can_subscribe_group: people(bo),
    });
  });

  test.each([
    [7, 1, false],
    [6, 1, false],
    [5, 3, false],
    [4, 4, false],
    [3, 2, true],
    [2, 2, true],
    [1, 2, true],
  ])('Shows for group %i the legacy policy %i', proves('conventions.14'), async (group, policy, isForFew) => {
    const name = newName();
    await join(ada, [name], { can_send_message_group: group });
    const legacy = { stream_post_policy: policy, is_announcement_only: isForFew };
    expect(await subscriptionOf(ada, name)).toMatchObject(legacy);
  });
});

describe('A channel name', () => {
  test('Matches after stripping white space, in any letter case and composition, and keeps its stored spelling', async () => {
    const name = newName('Café');
    await join(ada, [`  ${name}\t`]);
    const { body } = await join(bo, [name.normalize('NFD').toUpperCase()]);
    expect(body.subscribed).toEqual({ [bo.userId]: [name] });
    const again = await join(ada, [name.toLowerCase()]);
    expect(again.body).toMatchObject({ subscribed: {}, already_subscribed: { [ada.userId]: [name] } });
  });

  test('Has 1 to 60 characters, counted as code points', proves('subscribe.7'), async () => {
    const longest = '😀'.repeat(60);
    expect((await join(ada, [longest])).body.subscribed).toEqual({ [ada.userId]: [longest] });
    await expectEachRefused(
      ({ name }) => join(ada, [name as string]),
      [
        [{ name: '' }, "Channel name can't be empty."],
        [{ name: ' \n ' }, "Channel name can't be empty."],
        [{ name: `${longest}!` }, 'Channel name too long (limit: 60 characters).'],
        [{ name: 'x'.repeat(100_000) }, 'Channel name too long (limit: 60 characters).'],
      ],
    );
  });
});

describe('Creating channels', () => {
  test('Requires a member: a guest is refused, and nothing is created', async () => {
    const name = newName();
    expectRefusal(await join(guest, [name]), ...MEMBERS_ONLY);
    const { body } = await join(guest, [name], { authorization_errors_fatal: false });
    expect(body).toMatchObject({ subscribed: {}, unauthorized: [name] });
    expectRefusal(await ada.get('/get_stream_id', { stream: name }), `Invalid channel name '${name}'`);
  });

  test('Requires an administrator for default channels', proves('subscribe.17'), async () => {
    expectRefusal(await join(ada, [newName()], { is_default_stream: true }), 'Insufficient permission');
  });

  test('Creates none if one channel of several is refused', async () => {
    const name = newName();
    const { status } = await join(ada, [name, '']);
    expect(status).toBe(400);
    expectRefusal(await ada.get('/get_stream_id', { stream: name }), `Invalid channel name '${name}'`);
  });

  test('Makes several default channels at once, to which new accounts are subscribed', async () => {
    const names = [newName('default'), newName('default')];
    const queue = await ada.listen({ event_types: ['default_streams'] });
    expect((await join(service.owner, names, { is_default_stream: true })).status).toBe(200);
    const events = await queue.drain();
    expect(events.map(({ default_streams }) => default_streams.length)).toEqual([2]);
    const newcomer = await service.createUser('Newcomer');
    const subscriptions = await subscriptionsOf(newcomer);
    expect(subscriptions.map(({ name }: { name: string }) => name)).toEqual(names);
    const { subscribers } = (await membersOf(ada, subscriptions[0].stream_id)).body;
    expect(subscribers).toEqual([service.owner.userId, newcomer.userId]);
  });
});
