import { isDeepStrictEqual } from 'node:util';
import type { Account, User } from '#shared/domain/users/user.ts';
import { Conflict } from '#shared/log/commit.ts';
import { findAccount } from '#shared/store/users/users.ts';
import type { Table } from '#shared/table/table.ts';

const DECIDED_BY = [
  'userId',
  'role',
  'isActive',
  'fullName',
  'emailVisibility',
  'botOwnerId',
  'bot',
] as const;

/** The account of a user who was just loaded. @throws Conflict when the user has changed in the meantime */
export async function accountOf(table: Table, user: User): Promise<Account> {
  const account = await findAccount(table, user.email);
  const isSame = account && DECIDED_BY.every((name) => isDeepStrictEqual(account[name], user[name]));
  if (!isSame) throw new Conflict();
  return account;
}
