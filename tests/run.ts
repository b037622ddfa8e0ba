import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { eventTypes } from '#shared/events/catalogue.ts';
import { listNeverReplayed, listUnproven, type TestReport } from './laws/proofs.ts';
import { reference } from './laws/reference.ts';

/**
 * Everything that `npm test` runs: the static checks, every test, and then the law that each statement of the reference
 * has a test that ran and passed, and each event type one that replayed it onto a snapshot. Ends with `N passed, N failed`.
 */
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
  holdToReference(report);
  holdToCatalogue(report);
} catch (failure) {
  console.log('FAILED: the tests left no report', failure);
  failed += 1;
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function holdToReference(report: TestReport): void {
  const unproven = listUnproven(reference, report, import.meta.dirname);
  for (const { route = 'the service', statement, proof, because } of unproven)
    console.log(`FAILED: ${route}: ${statement.says} (${proof.join(': ')}: ${because})`);
  const statements = reference.flatMap((chapter) => chapter.statements);
  const unprovenStatements = new Set(unproven.map(({ statement }) => statement));
  console.log(
    `${statements.length - unprovenStatements.size} of ${statements.length} statements of the reference proven`,
  );
  passed += statements.length - unprovenStatements.size;
  failed += unprovenStatements.size;
}

function holdToCatalogue(report: TestReport): void {
  // A heartbeat tells of no state, so there is nothing to replay.
  const types = eventTypes.filter((type) => type !== 'heartbeat');
  const never = listNeverReplayed(types, report);
  for (const type of never) console.log(`FAILED: no test replayed ${type} onto a snapshot`);
  passed += types.length - never.length;
  failed += never.length;
}
