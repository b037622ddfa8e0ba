import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

async function fetchData(client: Client, types: string[], params: Params = {}) {
  return (await client.register({ fetch_event_types: types, ...params })).snapshot;
}

describe('Channels in register', () => {
  const types = ['subscription', 'stream'];
  const find = (list: { stream_id: number }[], channelId: number) =>
    list.find(({ stream_id }) => stream_id === channelId);

  test(
    'Have every field of a subscription record if the user is subscribed',
    proves(
      'register-queue.30',

      'register-queue.subscription-fields',

      'register-queue.38',
    ),
    async () => {
      const [ada] = await createUsers(service, 'Ada');
      const { name, channelId } = await createChannel(service, [ada], {
        send_new_subscription_messages: false,
      });
      const snapshot = await fetchData(ada, types, {
        client_capabilities: { notification_settings_null: true },
      });
      const channel = {
        stream_id: channelId,
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
        first_message_id: expect.any(Number),
        folder_id: null,
        topics_policy: 'inherit',
        is_recently_active: true,
        stream_weekly_traffic: null,
        subscriber_count: 1,
        message_retention_days: null,
        stream_post_policy: 1,
        is_announcement_only: false,
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
      };
      expect(find(snapshot.streams, channelId)).toEqual(channel);
      expect(find(snapshot.subscriptions, channelId)).toEqual({
        ...channel,
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
        is_muted: false,
        in_home_view: true,
        pin_to_top: false,
        desktop_notifications: null,
        audible_notifications: null,
        push_notifications: null,
        email_notifications: null,
        wildcard_mentions_notify: null,
      });
    },
  );

  test(
    'Show inherited notification settings as the values they have to clients that cannot read null',
    proves('register-queue.18', 'register-queue.38'),
    async () => {
      const [ada] = await createUsers(service, 'Ada');
      const { channelId } = await createChannel(service, [ada]);
      for (const client_capabilities of [undefined, {}, { notification_settings_null: false }]) {
        const { subscriptions } = await fetchData(ada, types, { client_capabilities });
        expect(find(subscriptions, channelId)).toMatchObject({
          desktop_notifications: false,
          audible_notifications: false,
          push_notifications: false,
          email_notifications: false,
          wildcard_mentions_notify: true,
        });
      }
    },
  );

  test('Have subscribers only on request', proves('register-queue.6', 'register-queue.39'), async () => {
    const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
    const { channelId } = await createChannel(service, [ada, bo]);
    const userIds = [ada.userId, bo.userId];
    for (const include_subscribers of [undefined, 'false', false]) {
      const { subscriptions } = await fetchData(ada, types, { include_subscribers });
      expect(find(subscriptions, channelId)).not.toHaveProperty('subscribers');
    }
    for (const include_subscribers of ['true', true, 'partial']) {
      const { subscriptions } = await fetchData(ada, types, { include_subscribers });
      expect(find(subscriptions, channelId)).toMatchObject({ subscribers: userIds });
      const { never_subscribed } = await fetchData(cy, types, { include_subscribers });
      expect(find(never_subscribed, channelId)).toMatchObject({ subscribers: userIds });
    }
  });

  test('Come as subscribed, unsubscribed and never subscribed, as far as the user may know them', async () => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    const guest = await createUser(service, 'Guest', 600);
    const open = await createChannel(service, [ada]);
    const left = await createChannel(service, [ada, bo]);
    const secret = await createChannel(service, [ada], { invite_only: true });
    const entered = await createChannel(service, [ada, guest]);
    await bo.delete('/users/me/subscriptions', { subscriptions: [left.name] });
    const places = async (client: Client, channelId: number) => {
      const snapshot = await fetchData(client, types);
      const lists = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'];
      return lists.filter((list) => find(snapshot[list], channelId));
    };
    expect(await places(bo, open.channelId)).toEqual(['streams', 'never_subscribed']);
    expect(await places(bo, left.channelId)).toEqual(['streams', 'unsubscribed']);
    expect(await places(bo, secret.channelId)).toEqual([]);
    expect(await places(ada, secret.channelId)).toEqual(['streams', 'subscriptions']);
    expect(await places(guest, open.channelId)).toEqual([]);
    expect(await places(guest, secret.channelId)).toEqual([]);
    expect(await places(guest, entered.channelId)).toEqual(['streams', 'subscriptions']);
  });

  test('Include archived ones only for clients that support them', proves('register-queue.21'), async () => {
    const [ada] = await createUsers(service, 'Ada');
    const archived = await createChannel(service, [ada]);
    await archiveChannel(service, archived);
    const plain = await fetchData(ada, types);
    expect(find(plain.streams, archived.channelId)).toBeUndefined();
    expect(find(plain.subscriptions, archived.channelId)).toBeUndefined();
    const capable = await fetchData(ada, types, { client_capabilities: { archived_channels: true } });
    expect(find(capable.streams, archived.channelId)).toMatchObject({ is_archived: true });
    expect(find(capable.subscriptions, archived.channelId)).toMatchObject({ is_archived: true });
  });
});
