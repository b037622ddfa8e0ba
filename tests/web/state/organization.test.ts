import { describe, expect, test } from 'vitest';
import { eventTypes } from '#shared/events/catalogue.ts';
import { capabilityNames } from '#shared/events/queue-filter.ts';
import { isKnownType } from '#web/state/apply.ts';
import { CAPABILITIES } from '#web/state/capabilities.ts';
import type { CustomEmoji, Snapshot } from '#web/state/wire.ts';
import type { EventName } from '#web/state/wire-events.ts';
import type { Group } from '#web/state/wire-people.ts';
import { channel, serverAfter, snapshot, VIEWER } from '../scene.ts';

test('The client handles every event that the service sends', () => {
  const names: readonly EventName[] = eventTypes;
  const types = names.map((name) => name.split('/')[0] ?? '');
  expect(types.filter((type) => !isKnownType(type))).toEqual([]);
  expect(['toString', 'of_another_year'].filter(isKnownType)).toEqual([]);
});

test('The client claims every capability that the service supports', () => {
  const all = [...capabilityNames, 'event_socket'].map((name) => [name, true]);
  expect(CAPABILITIES).toEqual(Object.fromEntries(all));
});

describe('Settings of the organization', () => {
  const before: Partial<Snapshot> = { realm_name: 'Old', realm_require_unique_names: false };
  const realm = (op: string, fields: object) => ({ type: 'realm', op, ...fields });

  test('Change one by one or together, and missing ones in register stay unknown', () => {
    const one = serverAfter(before, realm('update', { property: 'name', value: 'New' }));
    expect(one).toMatchObject({ realm_name: 'New', realm_require_unique_names: false });
    const data = { name: 'New', require_unique_names: true, of_another_year: 1 };
    const both = serverAfter(before, realm('update_dict', { property: 'default', data }));
    expect(both).toMatchObject({ realm_name: 'New', realm_require_unique_names: true });
    expect(both).not.toHaveProperty('realm_of_another_year');
    expect(both).not.toHaveProperty('realm_default');
  });

  test('Stay if the organization is deactivated, or if nothing known changed', () => {
    const server = snapshot(before);
    const gone = realm('deactivated', { realm_id: 1 });
    const unknown = realm('update', { property: 'of_another_year', value: 1 });
    expect(serverAfter(server, gone, unknown)).toEqual(server);
  });

  test('Change one by one for new people', () => {
    const settings = { color_scheme: 1, enter_sends: true } as Snapshot['realm_user_settings_defaults'];
    const event = { type: 'realm_user_settings_defaults', op: 'update', property: 'color_scheme', value: 2 };
    const { realm_user_settings_defaults: now } = serverAfter(
      { realm_user_settings_defaults: settings },
      event,
    );
    expect(now).toEqual({ ...settings, color_scheme: 2 });
  });
});

test('Domains are sorted by name, each in its last state, until they are removed', () => {
  const domain = (name: string, allow_subdomains = false) => ({ domain: name, allow_subdomains });
  const realm_domains = [domain('b.example'), domain('d.example')];
  const resultOf = (event: object) =>
    serverAfter({ realm_domains }, { type: 'realm_domains', ...event }).realm_domains;
  expect(resultOf({ op: 'add', realm_domain: domain('c.example') }).map((one) => one.domain)).toEqual([
    'b.example',
    'c.example',
    'd.example',
  ]);
  const changed = domain('b.example', true);
  expect(resultOf({ op: 'change', realm_domain: changed })).toEqual([changed, domain('d.example')]);
  expect(resultOf({ op: 'remove', domain: 'd.example' })).toEqual([domain('b.example')]);
});

test('Custom emoji come and change one by one, or all at once', () => {
  const emoji = (id: string, fields: Partial<CustomEmoji> = {}) =>
    ({ id, name: `emoji ${id}`, deactivated: false, ...fields }) as CustomEmoji;
  const realm_emoji = { 1: emoji('1'), 2: emoji('2') };
  const resultOf = (event: object) =>
    serverAfter({ realm_emoji }, { type: 'realm_emoji', ...event }).realm_emoji;
  expect(resultOf({ op: 'add', emoji: emoji('3') })).toEqual({ ...realm_emoji, 3: emoji('3') });
  expect(resultOf({ op: 'update_one', emoji_id: '1', data: { deactivated: true } })).toEqual({
    1: emoji('1', { deactivated: true }),
    2: emoji('2'),
  });
  expect(resultOf({ op: 'update', realm_emoji: { 5: emoji('5') } })).toEqual({ 5: emoji('5') });
});

test.each<[type: string, field: string, name: keyof Snapshot]>([
  ['realm_linkifiers', 'realm_linkifiers', 'realm_linkifiers'],
  ['realm_playgrounds', 'realm_playgrounds', 'realm_playgrounds'],
  ['custom_profile_fields', 'fields', 'custom_profile_fields'],
  ['default_stream_groups', 'default_stream_groups', 'realm_default_stream_groups'],
  ['muted_topics', 'muted_topics', 'muted_topics'],
])('An event of %s contains the whole list', (type, field, name) => {
  const before = snapshot({ [name]: ['old'] });
  expect(serverAfter(before, { type, [field]: ['new'] })).toEqual({ ...before, [name]: ['new'] });
});

/** Settings that give every right to a group. */
const allowed = (groupId: number) => ({
  realm_can_add_subscribers_group: groupId,
  realm_can_create_private_channel_group: groupId,
  realm_can_create_public_channel_group: groupId,
  realm_can_create_web_public_channel_group: groupId,
  realm_can_invite_users_group: groupId,
});

describe('Groups', () => {
  const group = (id: number, members: number[] = [], direct_subgroup_ids: number[] = []): Group =>
    ({ id, name: `group ${id}`, members, direct_subgroup_ids }) as Group;
  const realm_user_groups = [group(5, [2, 30], [7]), group(7, [4])];
  const resultOf = (event: object) =>
    serverAfter({ realm_user_groups, ...allowed(7) }, { type: 'user_group', ...event }).realm_user_groups;

  test('Come in the order of their ids, and change and disappear by them', () => {
    expect(resultOf({ op: 'add', group: group(6) }).map(({ id }) => id)).toEqual([5, 6, 7]);
    const renamed = { ...group(5, [2, 30], [7]), name: 'New' };
    expect(resultOf({ op: 'update', group_id: 5, data: { name: 'New' } })).toEqual([renamed, group(7, [4])]);
    expect(resultOf({ op: 'remove', group_id: 5 })).toEqual([group(7, [4])]);
  });

  test.each([
    [{ op: 'add_members', user_ids: [10, 2, 3] }, group(5, [2, 3, 10, 30], [7])],
    [{ op: 'remove_members', user_ids: [2, 9] }, group(5, [30], [7])],
    [{ op: 'add_subgroups', direct_subgroup_ids: [20, 7, 3] }, group(5, [2, 30], [3, 7, 20])],
    [{ op: 'remove_subgroups', direct_subgroup_ids: [7, 9] }, group(5, [2, 30])],
  ])('Get and lose people and groups, in the order of the ids: $op', (event, changed) => {
    expect(resultOf({ group_id: 5, ...event })).toEqual([changed, group(7, [4])]);
  });
});

describe('The rights of the viewer', () => {
  const [MINE, OTHER] = [5, 7];
  const RIGHTS = [
    'can_create_private_streams',
    'can_create_public_streams',
    'can_create_streams',
    'can_create_web_public_streams',
    'can_invite_others_to_realm',
  ] as const;
  const withoutRights: Partial<Snapshot> = {
    ...Object.fromEntries(RIGHTS.map((name) => [name, false])),
    realm_user_groups: [
      { id: MINE, name: 'mine', members: [VIEWER], direct_subgroup_ids: [] },
      { id: OTHER, name: 'other', members: [2], direct_subgroup_ids: [] },
    ] as unknown as Group[],
    ...allowed(OTHER),
    server_web_public_streams_enabled: true,
    realm_enable_spectator_access: true,
  };
  const rightsOf = (fields: Partial<Snapshot>, ...events: object[]) => {
    const server = serverAfter({ ...withoutRights, ...fields }, ...events);
    return RIGHTS.filter((name) => server[name]);
  };
  const set = (property: string, value: unknown) => ({ type: 'realm', op: 'update', property, value });

  test.each([
    ['private_channel', ['can_create_private_streams', 'can_create_streams']],
    ['public_channel', ['can_create_public_streams', 'can_create_streams']],
    ['web_public_channel', ['can_create_web_public_streams']],
  ])('Follow the setting of who creates a %s', (kind, rights) => {
    expect(rightsOf({}, set(`can_create_${kind}_group`, MINE))).toEqual(rights);
  });

  test('Follow the setting of who invites', () => {
    expect(rightsOf({}, set('can_invite_users_group', MINE))).toEqual(['can_invite_others_to_realm']);
  });

  test('Follow the people of the groups', () => {
    const joined = { type: 'user_group', op: 'add_members', group_id: OTHER, user_ids: [VIEWER] };
    expect(rightsOf({}, joined)).toEqual(RIGHTS);
  });

  test('Exclude web-public channels if the service or the organization has none', () => {
    const mine = { realm_can_create_web_public_channel_group: MINE };
    const open = set('enable_spectator_access', true);
    expect(rightsOf({ ...mine, realm_enable_spectator_access: false }, open)).toEqual([RIGHTS[3]]);
    expect(rightsOf(mine, set('enable_spectator_access', false))).toEqual([]);
    const off = { ...mine, server_web_public_streams_enabled: false, realm_enable_spectator_access: false };
    expect(rightsOf(off, open)).toEqual([]);
  });

  test('Come from register alone if nothing of them changes', () => {
    const settings = { can_create_streams: true };
    expect(rightsOf(settings, { type: 'alert_words', alert_words: [] })).toEqual(['can_create_streams']);
    expect(rightsOf(settings, set('name', 'New'))).toEqual(['can_create_streams']);
  });

  test('Remain unknown if register has no groups', () => {
    const { realm_user_groups: _, ...rest } = withoutRights;
    const before = { ...rest, can_create_streams: true, realm_can_invite_users_group: OTHER };
    const server = serverAfter(before, set('can_invite_users_group', MINE));
    expect(server).toMatchObject({ can_create_streams: true, can_invite_others_to_realm: false });
  });
});

describe('The unread messages are counted again', () => {
  const policy = (visibility_policy: number) => ({
    ...{ type: 'user_topic', stream_id: 9, topic_name: 'Logo', visibility_policy, last_updated: 1 },
  });
  const unread_msgs = {
    ...snapshot().unread_msgs,
    count: 1,
    streams: [{ stream_id: 9, topic: 'logo', unread_message_ids: [5] }],
  };
  const countAfter = (fields: Partial<Snapshot>, ...events: object[]) =>
    serverAfter({ unread_msgs, ...fields }, ...events).unread_msgs.count;
  const mute = (value: boolean) => ({
    ...{ type: 'subscription', op: 'update', stream_id: 9, property: 'is_muted', value },
  });

  test('If the viewer mutes or unmutes a topic or a channel', () => {
    expect(countAfter({}, policy(1))).toBe(0);
    expect(countAfter({}, policy(1), policy(0))).toBe(1);
    expect(countAfter({}, mute(true))).toBe(0);
    expect(countAfter({}, mute(true), mute(false))).toBe(1);
    expect(countAfter({}, mute(true), policy(2))).toBe(1);
  });

  test('With the channels that the viewer muted before they left them', () => {
    const before = { subscriptions: [], unsubscribed: [channel(9, 'design', { is_muted: true })] };
    const uncounted = { ...before, unread_msgs: { ...unread_msgs, count: 0 } };
    expect(countAfter(uncounted, { type: 'stream', op: 'delete', streams: [{ stream_id: 9 }] })).toBe(1);
    expect(countAfter(before, policy(3), policy(0))).toBe(0);
  });
});
