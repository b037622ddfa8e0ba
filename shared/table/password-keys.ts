import type { Key } from './keys.ts';

/** The prefix of partitions with password hashes, which only sign-in functions may access. */
export const PASSWORDS_PREFIX = 'PASSWORD#';

export const passwordKeys = {
  /** The password hash of an account. Its key does not depend on the account's address. */
  of: (userId: number): Key => ({ pk: `${PASSWORDS_PREFIX}${userId}`, sk: 'PASSWORD' }),
  /** When accounts were last checked for leftovers of earlier versions. */
  lookedThrough: (): Key => ({ pk: 'ACCOUNTS_LOOKED_THROUGH', sk: 'ACCOUNTS_LOOKED_THROUGH' }),
};
