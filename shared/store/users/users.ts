import { BadRequest } from '#shared/domain/errors.ts';
import { canonicalAddress } from '#shared/domain/users/email-address.ts';
import { type Account, dayOf, type User } from '#shared/domain/users/user.ts';
import { userKeys, userPartitions } from '#shared/table/keys/users.ts';
import {
  ConditionFailed,
  type Item,
  recordOf,
  type Table,
  TransactionCanceled,
} from '#shared/table/table.ts';

/** Longer texts are not e-mail addresses and would not fit into a key. */
const MAX_EMAIL_LENGTH = 320;

const ATTRIBUTES = [
  'userId',
  'email',
  'fullName',
  'role',
  'roleTurns',
  'isActive',
  'isBot',
  'isSystemBot',
  'botOwnerId',
  'createdAtSeconds',
  'avatarVersion',
  'timezone',
  'avatarPicture',
  'emailVisibility',
  'dummyEmail',
  'bot',
  'lastActiveDay',
  'profileData',
  'profileRevision',
] as const satisfies (keyof User)[];

export function toUser(item: Item): User {
  const user: Item = {};
  for (const name of ATTRIBUTES) if (item[name] !== undefined) user[name] = item[name];
  return recordOf<User>(user);
}

/**
 * The account with this e-mail address, in any letter case and spelling. One strongly consistent read, and
 * another for spellings that new accounts do not have.
 */
export async function findAccount(table: Table, email: string): Promise<Account | undefined> {
  if (email.length === 0 || email.length > MAX_EMAIL_LENGTH) return undefined;
  const item = await table.find(userKeys.account(email));
  if (item) return recordOf<Account>(item);
  const canonical = canonicalAddress(email);
  if (canonical === undefined || userKeys.account(canonical).pk === userKeys.account(email).pk)
    return undefined;
  const found = await table.find(userKeys.account(canonical));
  return found && recordOf<Account>(found);
}

/** The accounts with these addresses, unordered; eventually consistent. */
export async function listAccounts(table: Table, emails: string[]): Promise<Account[]> {
  const items = await table.findMany(emails.map(userKeys.account), { eventually: true });
  return items.map((item) => recordOf<Account>(item));
}

export async function findUser(table: Table, userId: number): Promise<User | undefined> {
  const item = await table.find(userKeys.user(userId));
  return item && toUser(item);
}

/** @throws BadRequest `No such user` */
export async function getUser(table: Table, userId: number): Promise<User> {
  const user = await findUser(table, userId);
  if (!user) throw new BadRequest('No such user');
  return user;
}

/** The present account of a user. @throws BadRequest `No such user` */
export async function getAccount(table: Table, userId: number): Promise<Account> {
  const { email } = await getUser(table, userId);
  const account = await findAccount(table, email);
  if (!account) throw new BadRequest('No such user');
  return account;
}

/** The existing users with these ids, ascending. */
export async function listUsersById(table: Table, userIds: number[]): Promise<User[]> {
  const items = await table.findMany([...new Set(userIds)].map(userKeys.user));
  return items.map(toUser).sort((a, b) => a.userId - b.userId);
}

/** All users of the organization, deactivated ones and system bots included, ascending by id. */
export async function listUsers(table: Table): Promise<User[]> {
  const items = await table.list({ partition: userPartitions.users(), consistent: true });
  return items.map(toUser);
}

/** Fewer are read one by one; for more, all users are read. */
const FEW = 500;

/** The existing users with these ids, ascending; all users when no ids are given. */
export async function listUsersAmong(table: Table, userIds?: number[]): Promise<User[]> {
  if (userIds && userIds.length <= FEW) return listUsersById(table, userIds);
  const asked = userIds && new Set(userIds);
  const users = await listUsers(table);
  return asked ? users.filter(({ userId }) => asked.has(userId)) : users;
}

/** Records that the user was active today: two writes once a day, otherwise none. */
export async function rememberActive(table: Table, account: Account, nowSeconds: number): Promise<void> {
  const lastActiveDay = dayOf(nowSeconds);
  if (account.lastActiveDay === lastActiveDay) return;
  for (const key of [userKeys.user(account.userId), userKeys.account(account.email)])
    try {
      const condition = { exists: true, belowOrAbsent: { lastActiveDay } };
      await table.write({ kind: 'update', key, set: { lastActiveDay }, condition });
    } catch (failure) {
      // A concurrent change; the user's next call of the day tries again.
      if (!(failure instanceof ConditionFailed || failure instanceof TransactionCanceled)) throw failure;
    }
}
