import { describe, expect, test } from 'vitest';
import { eventTypes } from '#shared/events/catalogue.ts';
import { capabilityNames } from '#shared/events/queue-filter.ts';
import { isKnownType } from '#web/state/apply.ts';
import { CAPABILITIES } from '#web/state/capabilities.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { EventName } from '#web/state/wire-events.ts';
import type { Group } from '#web/state/wire-people.ts';
import { serverAfter, VIEWER } from '../scene.ts';

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

/** Settings that give every right to a group. */
const allowed = (groupId: number) => ({
  realm_can_add_subscribers_group: groupId,
  realm_can_create_private_channel_group: groupId,
  realm_can_create_public_channel_group: groupId,
  realm_can_create_web_public_channel_group: groupId,
  realm_can_invite_users_group: groupId,
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
  const set = (property: string, value: unknown) => ({ type: 'realm', op: 'update', property, value });

  test('Remain unknown if register has no groups', () => {
    const { realm_user_groups: _, ...rest } = withoutRights;
    const before = { ...rest, can_create_streams: true, realm_can_invite_users_group: OTHER };
    const server = serverAfter(before, set('can_invite_users_group', MINE));
    expect(server).toMatchObject({ can_create_streams: true, can_invite_others_to_realm: false });
  });
});
