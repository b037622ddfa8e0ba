import { keys } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import { identityOf, identityWrite } from './identity.ts';
import type { Account, User } from './user.ts';

/**
 * The writes that make a user another: both items of the account, and the list of changed identities where messages
 * call the user something else now. They fail when the user is not what was loaded.
 */
export function userWrites(user: User, set: Partial<User>): Write[] {
  const next = { ...user, ...set };
  return [userUpdate(user, set), accountUpdate(user, set), ...renamingWrites(user, next)];
}

/** The same for a user whose address becomes another, so that the account moves to another place. */
export function movingWrites(account: Account, set: Partial<User> & { email: string }): Write[] {
  const next = { ...account, ...set };
  if (keys.account(set.email).pk === keys.account(account.email).pk) return userWrites(account, set);
  const { pk: _pk, sk: _sk, ageSeconds: _age, memberships: _memberships, ...stored } = next as Account & Item;
  return [
    userUpdate(account, set),
    { kind: 'delete', key: keys.account(account.email), condition: { equals: sameAs(account) } },
    { kind: 'put', item: { ...keys.account(set.email), ...stored }, condition: { exists: false } },
    ...renamingWrites(account, next),
  ];
}

const userUpdate = (user: User, set: Partial<User>): Write => {
  const { role, isActive, email, fullName, emailVisibility } = user;
  const seen = { role, isActive, email, fullName, ...(emailVisibility !== undefined && { emailVisibility }) };
  return { kind: 'update', key: keys.user(user.userId), ...toUpdate(set), condition: { equals: seen } };
};

const accountUpdate = (user: User, set: Partial<User>): Write => ({
  kind: 'update',
  key: keys.account(user.email),
  ...toUpdate(set),
  condition: { equals: { userId: user.userId } },
});

/** What is set to undefined is removed. */
function toUpdate(set: Partial<User>): { set: Item; remove: string[] } {
  const entries = Object.entries(set);
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    remove: entries.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}

/** All that was loaded of an account, which moves whole or not at all. */
function sameAs(account: Account): Item {
  const {
    pk: _pk,
    sk: _sk,
    ageSeconds: _age,
    memberships: _memberships,
    ...seen
  } = account as Account & Item;
  return seen;
}

function renamingWrites(user: User, next: User): Write[] {
  const isSame = JSON.stringify(identityOf(user)) === JSON.stringify(identityOf(next));
  return isSame ? [] : [identityWrite(next)];
}
