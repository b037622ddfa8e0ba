import { expect, test } from 'vitest';
import { eventTypes } from '#shared/events/catalogue.ts';
import { capabilityNames } from '#shared/events/queue-filter.ts';
import { isKnownType } from '#web/state/apply.ts';
import { CAPABILITIES } from '#web/state/capabilities.ts';
import type { EventName } from '#web/state/wire-events.ts';
import { serverAfter } from '../scene.ts';

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

test('The rights of the viewer remain unknown if register has no groups', () => {
  const rights = { can_create_streams: true, can_invite_others_to_realm: false };
  const event = { type: 'realm', op: 'update', property: 'can_invite_users_group', value: 5 };
  expect(serverAfter({ ...rights, realm_can_invite_users_group: 7 }, event)).toMatchObject(rights);
});
