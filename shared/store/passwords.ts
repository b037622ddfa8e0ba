import { hashInAccount } from '#shared/domain/users/password.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { passwordKeys } from '#shared/table/password-keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Of no account; its password is looked for where there is none, which takes as long. */
const NO_ACCOUNT = 0;

/** The hash of an account's password, if it has one. One strongly consistent read, also where there is no account. */
export async function findPasswordHash(
  table: Table,
  account: Account | undefined,
): Promise<string | undefined> {
  const item = await table.find(passwordKeys.of(account?.userId ?? NO_ACCOUNT));
  if (item) return String(item.passwordHash);
  return account && hashInAccount(account);
}
