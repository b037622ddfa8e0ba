import type { Config } from '#shared/runtime/config.ts';

/** Hashing is slow on purpose, and tests make thousands of accounts. */
export const QUICK_PASSWORDS: Config['passwordCost'] = { N: 2 ** 8, r: 8, p: 1 };
