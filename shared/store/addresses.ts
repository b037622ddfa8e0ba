import { BadRequest } from '#shared/domain/errors.ts';
import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import { displayEmailOf, mayKnowAddress, readDummyEmail } from '#shared/domain/users/address.ts';
import { maySee } from '#shared/domain/users/sight.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Table } from '#shared/table/table.ts';
import { getOrganization } from './organization.ts';
import { findSight, getSeenUser } from './sight.ts';
import { findAccount, findUser, getUser, toUser } from './users.ts';

/**
 * The user with this address, in any letter case: the real one where the viewer may know it, or the one that stands for
 * it. A hidden address finds nobody, as one that does not exist, and so does that of somebody whom the viewer does not
 * see; and as much is read for all of them. One read, for dummy addresses three, and what guests see.
 */
export async function findUserByAddress(
  table: Table,
  viewer: User,
  address: string,
): Promise<User | undefined> {
  const [user, sight] = await Promise.all([findByAddress(table, viewer, address), findSight(table, viewer)]);
  return user && (user.userId === viewer.userId || maySee(sight, user)) ? user : undefined;
}

async function findByAddress(table: Table, viewer: User, address: string): Promise<User | undefined> {
  const account = await findAccount(table, address);
  if (account && mayKnowAddress(viewer, account)) return toUser({ ...account });
  const dummy = readDummyEmail(address);
  if (!dummy) return undefined;
  const [user, organization] = await Promise.all([findUser(table, dummy.userId), getOrganization(table)]);
  if (user?.dummyEmail?.toLowerCase() === address.toLowerCase()) return user;
  const domain = mailDomainOf(organization);
  return dummy.domain.toLowerCase() === domain.toLowerCase() ? user : undefined;
}

/** Ids are written in digits alone; everything else is taken for an address. */
const DIGITS = /^\d+$/;

/**
 * The user that a path names, by id or address.
 * @throws BadRequest `No such user` also for an address that the viewer may not know, and for whom they do not see
 */
export async function getUserNamed(table: Table, viewer: User, idOrAddress: string): Promise<User> {
  const named = idOrAddress.trim();
  if (DIGITS.test(named)) return getSeenUser(table, viewer, Number(named));
  const found = named.isWellFormed() ? await findUserByAddress(table, viewer, named) : undefined;
  if (!found) throw new BadRequest('No such user');
  // Found by its address, the account knows less than what everybody may see.
  return getUser(table, found.userId);
}

/** The address that everybody knows the user by, in small letters. */
export const isKnownAs = (user: User, address: string): boolean =>
  [user.email, displayEmailOf(user)].some((one) => one.toLowerCase() === address.toLowerCase());
