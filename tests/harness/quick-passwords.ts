import type { Config } from '#shared/runtime/config.ts';

/** Hashing is slow on purpose, and tests make thousands of accounts. */
export const QUICK_PASSWORDS: Config['passwordCost'] = { memoryKib: 64, passes: 1, lanes: 1 };
