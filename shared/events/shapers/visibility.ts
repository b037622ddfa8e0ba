import { toUserRecord } from '#shared/domain/users/record.ts';
import type { User } from '#shared/domain/users/user.ts';
import { placeholderOf } from '#shared/domain/users/visible-users.ts';
import type { ShapedPayload, WireEvent } from '#shared/events/catalogue.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import type { Shaping } from '#shared/events/shaping.ts';
import { shapePresence } from './presence.ts';

/** The event that introduces a user to a client, or replaces their data. */
export function userAddition(user: User, { filter: { clientGravatar }, viewer }: Shaping): WireEvent {
  const style = { viewer: viewer.user, clientGravatar, withProfileData: true };
  return { type: 'realm_user', op: 'add', person: toUserRecord(user, style) };
}

/**
 * Users who become visible, before all events that mention them. Absent events keep their place, so that ids
 * do not depend on when the log is read.
 */
export const shapeGained = (shaping: Shaping): (ShapedPayload | undefined)[] =>
  (shaping.gained ?? []).flatMap(({ user, status, presence }) => [
    userAddition(user, shaping),
    ...(status ? [status] : []),
    ...(presence === undefined ? [] : [presence ? shapePresence(presence, shaping)[0] : undefined]),
  ]);

/** Users who become hidden; clients that need complete lists get placeholders instead. */
export function shapeLost(shaping: Shaping): WireEvent[] {
  const { lost = [], visibleUsers, filter } = shaping;
  if (!visibleUsers) return [];
  const isNeeded = !hasCapability(filter, 'user_list_incomplete');
  return lost.flatMap((userId): WireEvent[] => {
    const placeholder = placeholderOf(userId, visibleUsers);
    const person = { user_id: userId, full_name: placeholder.fullName };
    return [
      { type: 'realm_user', op: 'remove', person },
      ...(isNeeded ? [userAddition(placeholder, shaping)] : []),
    ];
  });
}
