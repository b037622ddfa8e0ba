import { isDeepStrictEqual } from 'node:util';
import type { Account, User } from '#shared/domain/users/user.ts';
import { findAccount } from '#shared/store/users.ts';
import type { Table } from '#shared/table/table.ts';
import { StaleState } from './commit.ts';

const DECIDED_BY = [
  'userId',
  'role',
  'isActive',
  'fullName',
  'emailVisibility',
  'botOwnerId',
  'bot',
] as const;

/** The account of a user who was just loaded. @throws StaleState when the user has become another meanwhile */
export async function accountOf(table: Table, user: User): Promise<Account> {
  const account = await findAccount(table, user.email);
  const isSame = account && DECIDED_BY.every((name) => isDeepStrictEqual(account[name], user[name]));
  if (!isSame) throw new StaleState();
  return account;
}
