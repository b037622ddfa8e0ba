import { expect, test } from 'vitest';
import { changesRights } from '#shared/events/rewind.ts';
import { type AnyPayload, logEvent } from '#tests/harness/any-event.ts';

const changes = (payload: AnyPayload): boolean => changesRights([logEvent(payload)]);

test('Rights depend on roles and groups, and on nothing else that changes about users', () => {
  const person = { user_id: 10 };
  expect(changes({ type: 'user_group', op: 'add_members', group_id: 1, user_ids: [10] })).toBe(true);
  expect(changes({ type: 'realm_user', op: 'update', person: { ...person, role: 400 } })).toBe(true);
  expect(changes({ type: 'realm_user', op: 'update', person: { ...person, full_name: 'Ada' } })).toBe(false);
  expect(changes({ type: 'realm_user', op: 'add', user: { userId: 10, role: 400 } })).toBe(false);
  expect(changes({ type: 'realm', op: 'update', property: 'name', value: 'role' })).toBe(false);
});
