import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/harness/longest-first.ts';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/harness/engine-setup.ts'],
    setupFiles: ['tests/harness/leaves-nothing.ts'],
    restoreMocks: true,
    // A worker loads the product once for all of its files. Now and then it waits, for the engine or for time to pass:
    // half as many workers more than cores have something to do meanwhile.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: 'dist/test-report.json' }]],
  },
});
