import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests that need a server of others, and so are no part of `npm test`. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['tests/engines/*.{emulated,rolling}.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
