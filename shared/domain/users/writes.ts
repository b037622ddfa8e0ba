import { userKeys } from '#shared/table/keys/users.ts';
import type { Item, Write } from '#shared/table/table.ts';
import { identityOf, identityWrite } from './identity.ts';
import type { Account, User } from './user.ts';

/** Attributes that only one of the two items of an account has. */
export interface OwnAttributes {
  /** Private attributes, undefined to remove one; the write fails if they differ from the loaded values. */
  account?: { [Name in keyof Account]?: Account[Name] | undefined };
  /** Attributes of the public item only, with their conditions. */
  profile?: { set: Item; belowOrAbsent: Record<string, number> };
}

/**
 * Changes a user: both items of the account, and the list of changed identities if names in messages change.
 * The writes fail when the user has changed since loading.
 */
export function userWrites(user: User, set: Partial<User>, own: OwnAttributes = {}): Write[] {
  const isChanged = Object.keys(set).length > 0;
  return [
    ...(isChanged || own.profile ? [userUpdate(user, set, own)] : []),
    ...(isChanged || own.account ? [accountUpdate(user, set, own)] : []),
    ...renamingWrites(user, { ...user, ...set }),
  ];
}

/** The same when the address changes, which moves the account to another key. */
export function movingWrites(
  account: Account,
  set: Partial<User> & { email: string },
  own: OwnAttributes = {},
): Write[] {
  const next = { ...account, ...set };
  if (userKeys.account(set.email).pk === userKeys.account(account.email).pk)
    return userWrites(account, set, own);
  return [
    userUpdate(account, set, own),
    { kind: 'delete', key: userKeys.account(account.email), condition: { equals: storedPart(account) } },
    {
      kind: 'put',
      item: { ...userKeys.account(set.email), ...storedPart(next) },
      condition: { exists: false },
    },
    ...renamingWrites(account, next),
  ];
}

/** Attributes that decisions about a user depend on. */
const DECISIVE = ['role', 'isActive', 'email', 'fullName', 'emailVisibility', 'botOwnerId'] as const;

/**
 * Conditional on the decisive and on the changed attributes, so that the later of two changes also has the
 * later event.
 */
function userUpdate(user: User, changed: Partial<User>, { profile }: OwnAttributes): Write {
  const { roleTurns: _decidedByRole, ...compared } = changed;
  const seen = [...new Set([...DECISIVE, ...(Object.keys(compared) as (keyof User)[])])];
  const known = seen.filter((name) => user[name] !== undefined);
  const { set, remove } = toUpdate(changed);
  return {
    kind: 'update',
    key: userKeys.user(user.userId),
    set: { ...set, ...profile?.set },
    remove,
    condition: {
      equals: Object.fromEntries(known.map((name) => [name, user[name]])),
      absent: seen.filter((name) => user[name] === undefined),
      ...(profile && { belowOrAbsent: profile.belowOrAbsent }),
    },
  };
}

function accountUpdate(user: User, changed: Partial<User>, { account = {} }: OwnAttributes): Write {
  const before = Object.keys(account)
    .map((name) => [name, (user as User & Item)[name]])
    .filter(([, value]) => value !== undefined);
  const { set, remove } = toUpdate(changed);
  const own = toUpdate(account);
  return {
    kind: 'update',
    key: userKeys.account(user.email),
    set: { ...set, ...own.set },
    remove: [...remove, ...own.remove],
    condition: { equals: { userId: user.userId, ...Object.fromEntries(before) } },
  };
}

/** Undefined values are removed. */
function toUpdate(set: Item): { set: Item; remove: string[] } {
  const entries = Object.entries(set);
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    remove: entries.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}

/** All stored attributes of an account, which move together. */
function storedPart(account: Account): Item {
  const {
    pk: _pk,
    sk: _sk,
    ageSeconds: _age,
    memberships: _memberships,
    sessionDigest: _session,
    token: _token,
    onlyChannels: _channels,
    ...stored
  } = account as Account & Item;
  return stored;
}

function renamingWrites(user: User, next: User): Write[] {
  const isSame = JSON.stringify(identityOf(user)) === JSON.stringify(identityOf(next));
  return isSame ? [] : [identityWrite(next)];
}
