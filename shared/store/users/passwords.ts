import { hashInAccount } from '#shared/domain/users/password.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * The id of no account. Its password is read when an address is unknown, so that both cases take equally
 * long.
 */
const NO_ACCOUNT = 0;

/** The password hash of an account, if it has one. One strongly consistent read, also without an account. */
export async function findPasswordHash(
  table: Table,
  account: Account | undefined,
): Promise<string | undefined> {
  const item = await table.find(signInKeys.password(account?.userId ?? NO_ACCOUNT));
  if (item) return String(item.passwordHash);
  return account && hashInAccount(account);
}
