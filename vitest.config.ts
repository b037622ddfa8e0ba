import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/harness/engine-setup.ts'],
    setupFiles: ['tests/harness/leaves-nothing.ts'],
    restoreMocks: true,
    // Every core has a worker, which loads the product once for all of its files.
    maxWorkers: '100%',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: 'dist/test-report.json' }]],
  },
});
