import { type AddressState, isAddressUpdate, isRoleUpdate } from '#shared/domain/users/events.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload } from './catalogue.ts';
import type { PersonChange } from './event-fields.ts';
import type { ShapedEntry } from './shape.ts';

/** All users before some entries, given oldest first: their changes are undone, newest first. */
export function peopleBefore(now: User[], changes: ShapedEntry[]): User[] {
  const people = new Map(now.map((user) => [user.userId, user]));
  for (const { events } of changes.toReversed())
    for (const { payload } of events.toReversed()) if (payload.type === 'realm_user') undo(people, payload);
  return [...people.values()];
}

function undo(people: Map<number, User>, payload: Extract<EventPayload, { type: 'realm_user' }>): void {
  if (payload.op === 'add') {
    people.delete(payload.user.userId);
    return;
  }
  const person: PersonChange = payload.person;
  const user = people.get(person.user_id);
  if (!user) return;
  const wasActive = person.is_active === undefined ? user.isActive : !person.is_active;
  people.set(user.userId, {
    ...(isAddressUpdate(payload) ? withAddress(user, payload.before) : user),
    ...(isRoleUpdate(payload) && { role: payload.previousRole }),
    ...('previousOwnerId' in payload && { botOwnerId: payload.previousOwnerId }),
    isActive: wasActive,
  });
}

function withAddress(user: User, address: AddressState): User {
  const { emailVisibility: _visibility, dummyEmail: _dummy, avatarPicture: _picture, ...rest } = user;
  return { ...rest, ...address };
}
