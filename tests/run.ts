import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

/** Everything that `npm test` runs: the static checks, then every test. Ends with `N passed, N failed`. */
const REPORT = 'dist/test-report.json';

const checks: [name: string, command: string, args: string[]][] = [
  ['types', 'tsc', ['--noEmit']],
  ['lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['knip', 'knip', ['--no-progress']],
  ['build', 'node', ['infra/build.ts']],
  ['synth', 'cdk', ['synth', '--quiet']],
];

let passed = 0;
let failed = 0;

for (const [name, command, args] of checks) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status === 0) passed += 1;
  else failed += 1;
  console.log(`${status === 0 ? 'passed' : 'FAILED'}: ${name}`);
}

rmSync(REPORT, { force: true });
const { status } = spawnSync('vitest', ['run'], { stdio: 'inherit' });
try {
  const report = JSON.parse(readFileSync(REPORT, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  if (status !== 0 && report.numFailedTests === 0) failed += 1;
} catch {
  console.log('FAILED: the tests left no report');
  failed += 1;
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
