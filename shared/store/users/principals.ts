import { BadRequest } from '#shared/domain/errors.ts';
import type { Principal } from '#shared/domain/subscriptions/subscribe.ts';
import type { User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import { findVisibleUsers, listSeenById } from '#shared/store/visibility/visible-users.ts';
import type { Table } from '#shared/table/table.ts';
import { findUserByAddress } from './addresses.ts';

/**
 * The active users named by ids or e-mail addresses, without duplicates; the caller when none are named.
 * @throws BadRequest for a user who is unknown, hidden from the caller, deactivated, or one of the service's
 * bots
 */
export async function resolvePrincipals(
  table: Table,
  caller: User,
  named: (number | string)[] | undefined,
): Promise<User[]> {
  if (!named || named.length === 0) return [caller];
  const ids = named.filter((value) => typeof value === 'number');
  const emails = named.filter((value) => typeof value === 'string');
  const byId = await listSeenById(table, caller, ids);
  const byEmail = await mapConcurrently([...new Set(emails)], (email) =>
    findUserByAddress(table, caller, email.trim()),
  );
  const users = [...byId, ...byEmail.filter((user) => user !== undefined)];
  const isEveryoneFound = byId.length === new Set(ids).size && !byEmail.includes(undefined);
  if (!isEveryoneFound || users.some(({ isSystemBot }) => isSystemBot)) throw await stranger(table, caller);
  if (users.some(({ isActive }) => !isActive)) throw new BadRequest('User is deactivated');
  return [...new Map(users.map((user) => [user.userId, user])).values()];
}

/** Callers with limited visibility get the same error for hidden and unknown users. */
const stranger = async (table: Table, caller: User): Promise<BadRequest> =>
  new BadRequest((await findVisibleUsers(table, caller)) ? 'Insufficient permission' : 'No such user');

/** A user with all present and past subscriptions. */
export async function loadPrincipal(table: Table, user: User): Promise<Principal> {
  const subscriptions = await listSubscriptions(table, user.userId);
  return {
    user,
    subscriptions: new Map(subscriptions.map((subscription) => [subscription.channelId, subscription])),
  };
}
