import type { Account, User } from '#shared/domain/users/user.ts';
import { findAccount } from '#shared/store/users.ts';
import type { Table } from '#shared/table/table.ts';
import { StaleState } from './commit.ts';

/** The account of a user who was just loaded. @throws StaleState when the address has become another meanwhile */
export async function accountOf(table: Table, { userId, email }: User): Promise<Account> {
  const account = await findAccount(table, email);
  if (account?.userId !== userId) throw new StaleState();
  return account;
}
