import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/harness/run/longest-first.ts';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/harness/engine/engine-setup.ts', 'tests/web/browser/built-web-setup.ts'],
    setupFiles: [
      // These come before what loads sources.
      ...(process.env.MUTANTS_NOTED ? ['tests/harness/run/reached.ts'] : []),
      ...(process.env.MUTANT ? ['tests/harness/run/made.ts'] : []),
      'tests/harness/engine/fresh-engine.ts',
      'tests/harness/leaves-nothing.ts',
    ],
    restoreMocks: true,
    // A worker loads the product once for all of its files, and keeps a core busy together with its DynamoDB.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // Node itself loads the bundles that tests make, as it does in a function.
    server: { deps: { external: [/team-chat-build-/] } },
    isolate: false,
    // For what never ends: a busy machine may take twenty times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      provider: 'v8',
      include: ['{functions,shared,infra}/**/*.ts', 'web/{state,net}/**/*.ts'],
      reporter: ['json-summary'],
      reportsDirectory: 'dist/coverage',
      // What is measured makes the work larger that a few tests bound.
      reportOnFailure: true,
    },
    reporters: ['default', ['json', { outputFile: 'dist/test-report.json' }]],
  },
});
