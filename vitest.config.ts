import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { inlineTexts, isScriptOfClient } from './infra/web/texts.ts';
import { LongestFirst } from './tests/harness/run/longest-first.ts';

const TESTS = 'tests/**/*.test.ts';
const SLOW_TESTS = 'tests/**/*.slow.test.ts';

export default defineConfig({
  plugins: [
    {
      name: 'texts',
      enforce: 'pre',
      transform: (code, id) => (isScriptOfClient(id) ? inlineTexts(code) : undefined),
    },
  ],
  test: {
    // The tier that `npm test` runs, and the rest, for `npm run test:slow`.
    projects: [
      { extends: true, test: { name: 'fast', include: [TESTS], exclude: [SLOW_TESTS] } },
      { extends: true, test: { name: 'slow', include: [SLOW_TESTS] } },
    ],
    globalSetup: ['tests/web/browser/built-web-setup.ts'],
    setupFiles: ['tests/harness/leaves-nothing.ts'],
    restoreMocks: true,
    // A worker loads the product once for all of its files, and keeps a core busy.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // Node itself loads the bundles that tests make, as it does in a function.
    server: { deps: { external: [/team-chat-build-/] } },
    isolate: false,
    // For what never ends: a busy machine may take twenty times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Awaited events come late on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      provider: 'v8',
      include: ['{functions,shared,infra}/**/*.ts', 'web/{state,net}/**/*.ts'],
      reporter: ['json-summary'],
      reportsDirectory: 'dist/coverage',
      // Coverage enlarges the work that a few tests bound, so these may fail.
      reportOnFailure: true,
    },
    reporters: ['default', 'json'],
    outputFile: { json: 'dist/test-report.json' },
  },
});
