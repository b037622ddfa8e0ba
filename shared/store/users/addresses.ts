import { BadRequest } from '#shared/domain/errors.ts';
import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import { displayEmailOf, mayKnowAddress, readDummyEmail, type User } from '#shared/domain/users/user.ts';
import { maySee } from '#shared/domain/users/visible-users.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findVisibleUsers, getSeenUser } from '#shared/store/visibility/visible-users.ts';
import type { Table } from '#shared/table/table.ts';
import { findAccount, findUser, getUser, toUser } from './users.ts';

/**
 * The user with this address in any letter case: the real one if the viewer may know it, or the placeholder.
 * Hidden addresses and addresses of hidden users count as unknown, and cost the same reads. One read; three for
 * placeholder addresses, plus the users visible to guests.
 */
export async function findUserByAddress(
  table: Table,
  viewer: User,
  address: string,
): Promise<User | undefined> {
  const [user, visibleUsers] = await Promise.all([
    findByAddress(table, viewer, address),
    findVisibleUsers(table, viewer),
  ]);
  return user && (user.userId === viewer.userId || maySee(visibleUsers, user)) ? user : undefined;
}

async function findByAddress(table: Table, viewer: User, address: string): Promise<User | undefined> {
  const account = await findAccount(table, address);
  if (account && mayKnowAddress(viewer, account)) return toUser({ ...account });
  const dummy = readDummyEmail(address);
  if (!dummy) return undefined;
  const [user, organization] = await Promise.all([findUser(table, dummy.userId), getOrganization(table)]);
  if (user?.dummyEmail === address.toLowerCase()) return user;
  return dummy.domain.toLowerCase() === mailDomainOf(organization) ? user : undefined;
}

/** Ids consist of digits; everything else is an address. */
const DIGITS = /^\d+$/;

/**
 * The user in a path, by id or address.
 * @throws BadRequest `No such user` also for an address that the viewer may not know, and for hidden users
 */
export async function getUserNamed(table: Table, viewer: User, idOrAddress: string): Promise<User> {
  const named = idOrAddress.trim();
  if (DIGITS.test(named)) return getSeenUser(table, viewer, Number(named));
  const found = named.isWellFormed() ? await findUserByAddress(table, viewer, named) : undefined;
  if (!found) throw new BadRequest('No such user');
  // The private item, found by address, lacks attributes of the public one.
  return getUser(table, found.userId);
}

/** Whether this lower-case text is the user's visible address. */
export const isKnownAs = (user: User, address: string): boolean =>
  [user.email, displayEmailOf(user)].some((shown) => shown.toLowerCase() === address.toLowerCase());
