import { toUserRecord } from '#shared/domain/users/record.ts';
import { placeholderOf } from '#shared/domain/users/sight.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaping } from '../shaping.ts';
import { shapePresence } from './presence.ts';

/** The event by which a client comes to know of a user, or knows them anew. */
export function userAddition(user: User, { filter: { clientGravatar }, viewer }: Shaping): EventPayload {
  const style = { viewer: viewer.user, clientGravatar, withProfileData: true };
  return { type: 'realm_user', op: 'add', person: toUserRecord(user, style) };
}

/**
 * Those who come into sight, told before anything that speaks of them. Where there is nothing to tell a place stays free,
 * so that events have the same ids whenever they are read.
 */
export const shapeGained = (shaping: Shaping): (EventPayload | undefined)[] =>
  (shaping.gained ?? []).flatMap(({ user, status, presence }) => [
    userAddition(user, shaping),
    ...(status ? [status] : []),
    ...(presence === undefined ? [] : [presence ? shapePresence(presence, shaping)[0] : undefined]),
  ]);

/** Those who go out of sight; clients that need to know of everybody get what stands for them instead. */
export function shapeLost(shaping: Shaping): EventPayload[] {
  const { lost = [], sight, filter } = shaping;
  if (!sight) return [];
  const isNeeded = !hasCapability(filter, 'user_list_incomplete');
  return lost.flatMap((userId) => {
    const placeholder = placeholderOf(userId, sight);
    const person = { user_id: userId, full_name: placeholder.fullName };
    return [
      { type: 'realm_user', op: 'remove', person },
      ...(isNeeded ? [userAddition(placeholder, shaping)] : []),
    ];
  });
}
