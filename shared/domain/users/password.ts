import { signInKeys } from '#shared/table/keys/sign-in.ts';
import type { Write } from '#shared/table/table.ts';
import type { Account } from './user.ts';

/** An account as stored by versions up to 12: with the password hash. */
type EarlierAccount = Account & { passwordHash?: string };

/** The password hash, if it is still in the account, which every function can read. */
export const hashInAccount = (account: Account): string | undefined =>
  (account as EarlierAccount).passwordHash;

/** Removes the hash from the account once it is stored separately. */
export const withoutHash = { passwordHash: undefined };

/** Stores the hash, separately from the account. */
export const passwordWrite = (userId: number, passwordHash: string): Extract<Write, { kind: 'put' }> => ({
  kind: 'put',
  item: { ...signInKeys.password(userId), passwordHash },
});
