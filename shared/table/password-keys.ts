import type { Key } from './keys.ts';

/** With this the partitions of password hashes begin; only functions that sign people in may touch those. */
export const PASSWORDS_PREFIX = 'PASSWORD#';

export const passwordKeys = {
  /** The hash of an account's password. Whatever address the account has, its password stays here. */
  of: (userId: number): Key => ({ pk: `${PASSWORDS_PREFIX}${userId}`, sk: 'PASSWORD' }),
  /** When accounts were last looked through for what earlier versions of the service left in them. */
  lookedThrough: (): Key => ({ pk: 'ACCOUNTS_LOOKED_THROUGH', sk: 'ACCOUNTS_LOOKED_THROUGH' }),
};
