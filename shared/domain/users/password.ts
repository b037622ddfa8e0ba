import { passwordKeys } from '#shared/table/password-keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { Account } from './user.ts';

/** An account as versions of the service up to 12 kept it: with the hash of its password. */
type EarlierAccount = Account & { passwordHash?: string };

/** The hash of the password where it still stands in the account, which every function reads. */
export const hashInAccount = (account: Account): string | undefined =>
  (account as EarlierAccount).passwordHash;

/** Takes the hash out of the account, together with what is kept of it elsewhere. */
export const withoutHash = { passwordHash: undefined };

/** The hash from now on, apart from the account. */
export const passwordWrite = (userId: number, passwordHash: string): Extract<Write, { kind: 'put' }> => ({
  kind: 'put',
  item: { ...passwordKeys.of(userId), passwordHash },
});
