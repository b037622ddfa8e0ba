import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { readCommandLine } from '#infra/command-line.ts';
import { eventTypes } from '#shared/events/catalogue.ts';
import { listNotShown } from './conformance/declared/not-shown.ts';
import { listNeverReplayed, listUnknownIds, listUnproven, type TestReport } from './conformance/proofs.ts';
import { reference } from './conformance/reference.ts';
import { UNHANDLED } from './harness/run/progress.ts';
import {
  countTests,
  listFailedFiles,
  listFailures,
  type RunReport,
  withSecondRun,
} from './harness/run/report.ts';

const HELP = `Usage: npm test [-- options]

\`npm test\` runs the static checks and the fast tests, and then checks that each statement of the reference has a test that
passed, that each declared event and error was seen, and that each type of event was replayed onto a snapshot.
The slow tests, \`npm run test:slow\`, are: every bundle in a process of its own, long simulations, times, all stories of the
browser, and DynamoDB through the SDK. If few files failed, they run a second time without others beside them, and a test that
passes then is listed as UNSTEADY. Each run ends with the line "N passed, N failed", and with status 1 if something failed.
To run single files, use \`npx vitest run <file>\`; to run what depends on a change, \`npm run test:changed\`.

Options:
  --slow  run the slow tests instead
  --all   run both
  --help  print this text

Example:
  npm test`;

const flag = { type: 'boolean', default: false } as const;
const { values } = readCommandLine(HELP, { options: { slow: flag, all: flag } });
const projects = values.all ? ['fast', 'slow'] : [values.slow ? 'slow' : 'fast'];
const isFast = projects.includes('fast');

const REPORT = 'dist/test-report.json';
const SECOND_REPORT = 'dist/second-test-report.json';
/** More failed files are no accident of a busy machine. */
const MOST_SECOND_RUNS = 4;

/** The steps of one row run one after the other, the rows in parallel. */
const checks: [name: string, command: string, args: string[]][][] = [
  [
    ['build', 'node', ['infra/build/build.ts']],
    ['build:web', 'node', ['infra/web/build.ts']],
    // Whether CloudFormation takes the templates is asked by the tests of the stacks, and takes seconds.
    ['synth', 'cdk', ['synth', '--quiet', '--no-validation']],
  ],
  [
    // By default there are four checkers, and each reads the libraries again.
    ['types', 'tsc', ['--noEmit', '--checkers', '2']],
    ['types of web', 'tsc', ['--noEmit', '--checkers', '2', '--project', 'web']],
    ['lint', 'biome', ['check', '--error-on-warnings', '.']],
    ['knip', 'knip', ['--no-progress']],
  ],
];

// The tools are large: compiled once for all of them, and cached. The ones in Go, which check the types and bundle,
// end before much garbage is worth collecting.
const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), GOGC: '400', ...process.env };
let passed = 0;
let failed = 0;

// The slow tests need the build.
await Promise.all(
  (isFast ? checks : checks.slice(0, 1)).map(async (row) => {
    for (const [name, command, args] of row) {
      const { isSuccess, output } = await run(command, args);
      if (isSuccess) passed += 1;
      else failed += 1;
      console.log(`${isSuccess ? '' : output}${isSuccess ? 'passed' : 'FAILED'}: ${name}`);
    }
  }),
);

const chosen = projects.flatMap((name) => ['--project', name]);
let skipped = 0;
try {
  const report = runTests();
  passed += countTests(report, 'passed');
  skipped = countTests(report, 'skipped') + countTests(report, 'pending') + countTests(report, 'todo');
  for (const { file, title, message } of listFailures(report)) {
    const which = title === undefined ? '' : ` -t ${inQuotes(escapeForRegExp(title))}`;
    console.log(`FAILED: ${title ?? message}\n        npx vitest run ${relative('.', file)}${which}`);
    failed += 1;
  }
  if (isFast) {
    holdToReference(report);
    holdToCatalogue(report);
    holdToDeclarations(report);
  }
} catch (failure) {
  console.log('FAILED: the tests left no report', failure);
  failed += 1;
}

console.log(`${skipped} skipped\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs a command to its end, and buffers its output, since others print meanwhile. */
async function run(command: string, args: string[]): Promise<{ isSuccess: boolean; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => {
    child.once('error', (failure) => resolve({ isSuccess: false, output: `${failure.message}\n` }));
    child.once('close', (status) => resolve({ isSuccess: status === 0, output }));
  });
}

/** Runs the tests, and files that failed a second time: some depend on what runs beside them. */
function runTests(): RunReport {
  const first = runVitest(REPORT, []);
  const files = listFailedFiles(first);
  if (files.length === 0 || files.length > MOST_SECOND_RUNS) return first;
  console.log(`Files that failed and run a second time: ${files.length}`);
  const second = withSecondRun(first, runVitest(SECOND_REPORT, [...files, '--maxWorkers=1']));
  const still = new Set(listFailures(second).map(({ file, title }) => `${file} ${title}`));
  for (const { file, title } of listFailures(first))
    if (!still.has(`${file} ${title}`)) console.log(`UNSTEADY: ${title ?? file}, passed in the second run`);
  return second;
}

function runVitest(path: string, args: string[]): RunReport {
  for (const old of [path, UNHANDLED]) rmSync(old, { force: true });
  const reporters = ['minimal', 'json', './tests/harness/run/progress.ts'].map(
    (name) => `--reporter=${name}`,
  );
  const options = [...args, ...chosen, ...reporters, `--outputFile.json=${path}`];
  const { status } = spawnSync('vitest', ['run', ...options], { stdio: 'inherit', env });
  const report: RunReport = JSON.parse(readFileSync(path, 'utf8'));
  if (existsSync(UNHANDLED) || (status !== 0 && listFailedFiles(report).length === 0)) {
    console.log('FAILED: an error outside of the tests');
    failed += 1;
  }
  return report;
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function escapeForRegExp(title: string): string {
  return title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function holdToReference(report: TestReport): void {
  const unproven = listUnproven(reference, report);
  for (const { route = 'the service', statement, because } of unproven)
    console.log(`FAILED: ${route}: ${statement.says} (${statement.id}: ${because})`);
  const unknown = listUnknownIds(reference, report);
  for (const id of unknown) console.log(`FAILED: a test proves ${id}, which no statement has`);
  failed += unknown.length;
  const statements = reference.flatMap((chapter) => chapter.statements);
  console.log(
    `${statements.length - unproven.length} of ${statements.length} statements of the reference proven`,
  );
  passed += statements.length - unproven.length;
  failed += unproven.length;
}

function holdToCatalogue(report: TestReport): void {
  // A heartbeat changes no state, so there is nothing to replay.
  const types = eventTypes.filter((type) => type !== 'heartbeat');
  const never = listNeverReplayed(types, report);
  for (const type of never) console.log(`FAILED: no test replayed ${type} onto a snapshot`);
  passed += types.length - never.length;
  failed += never.length;
}

function holdToDeclarations(report: TestReport): void {
  const missing = listNotShown(report);
  for (const outcome of missing) console.log(`FAILED: no test showed the declared ${outcome}`);
  if (missing.length === 0) passed += 1;
  failed += missing.length;
}
