import { describe, expect, test } from 'vitest';
import { groups } from '#tests/api/user-groups/group-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectEachRefused, join, newName } from '../channel-calls.ts';
import { subscriptionOf } from '../channel-records.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const create = (client: Client, params: Params) =>
  client.post('/users/me/subscriptions', { subscriptions: [{ name: newName('refused') }], ...params });

describe('Parameters of subscribing', () => {
  test('Change nothing with an empty list', async () => {
    const { status, body } = await join(ada, []);
    expect([status, body.subscribed, body.already_subscribed]).toEqual([200, {}, {}]);
  });

  test('Get the name of the wrong part in the refusal', proves('subscribe.5', 'subscribe.6'), async () => {
    const tooLong = 'is too long (limit: 1024 characters)';
    for (const [subscriptions, msg] of [
      ['design', ' is not valid JSON'],
      [{ name: 'x' }, ' is not a list'],
      [['x'], '[0] is not a dict'],
      [[{}], '[0]["name"] field is missing: Field required'],
      [[{ name: 'x' }, { name: 1 }], '[1]["name"] is not a string'],
      [[{ name: 'x', description: 5 }], '[0]["description"] is not a string'],
      [[{ name: 'x', description: 'é'.repeat(1025) }], `[0]["description"] ${tooLong}`],
      [[{ name: 'x', color: 'red' }], '[0]["color"] is not a valid hex color code'],
    ] as const)
      expectRefusal(await ada.post('/users/me/subscriptions', { subscriptions }), `subscriptions${msg}`);
  });

  const GROUP_SETTINGS = [
    'can_add_subscribers_group',
    'can_administer_channel_group',
    'can_create_topic_group',
    'can_delete_any_message_group',
    'can_delete_own_message_group',
    'can_move_messages_out_of_channel_group',
    'can_move_messages_within_channel_group',
    'can_remove_subscribers_group',
    'can_resolve_topics_group',
    'can_send_message_group',
    'can_subscribe_group',
  ];

  test('Name existing groups and users in settings', proves('subscribe.group-settings'), async () => {
    const name = 'can_subscribe_group';
    const many = Array.from({ length: 1001 }, (_, n) => n);
    await expectEachRefused(
      (params) => create(service.owner, params),
      [
        ...GROUP_SETTINGS.flatMap((setting): [Params, string][] => [
          [{ [setting]: 99 }, 'Invalid user group ID: 99'],
          [{ [setting]: 8 }, `'${setting}' setting cannot be set to 'role:internet' group.`],
        ]),
        [{ [name]: groups(-1) }, 'Invalid user group ID: -1'],
        [{ [name]: { ...groups(), direct_members: [424242] } }, 'Invalid user ID: 424242'],
        [
          { [name]: { ...groups(), direct_members: many } },
          `${name}["direct_members"] names too many users (maximum 1000).`,
        ],
      ],
    );
  });

  const values = proves('subscribe.9', 'subscribe.16', 'subscribe.20');
  test('Outside of the allowed values are refused', values, async () => {
    await expectEachRefused(
      (params) => create(service.owner, params),
      [
        [{ topics_policy: 'whatever' }, 'Invalid topics_policy'],
        [{ folder_id: 3 }, 'Invalid channel folder ID'],
        [{ message_retention_days: 0 }, "Bad value for 'message_retention_days': 0"],
        [{ message_retention_days: 'forever' }, "Bad value for 'message_retention_days': forever"],
        [{ is_web_public: true }, 'Web-public channels are not enabled.'],
        [{ is_default_stream: true, invite_only: true }, 'A default channel cannot be private.'],
        [{ history_public_to_subscribers: false }, 'Invalid parameters'],
      ],
    );
  });

  test('Have no effect on existing channels', proves('subscribe.3', 'subscribe.8'), async () => {
    const name = newName();
    await join(ada, [name]);
    const before = await subscriptionOf(ada, name);
    const subscriptions = [{ name, description: 'mine now' }];
    const settings = { invite_only: true, message_retention_days: 3, can_send_message_group: 99 };
    const { status } = await bo.post('/users/me/subscriptions', { subscriptions, ...settings });
    expect(status).toBe(200);
    const { description, invite_only, message_retention_days, can_send_message_group } = before;
    const kept = { description, invite_only, message_retention_days, can_send_message_group };
    expect(await subscriptionOf(bo, name)).toMatchObject(kept);
  });
});
