import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '#infra/command-line.ts';
import { ROOT } from '#tests/infra/root.ts';
import { isInstalled, mustRun, run, skip, startServer } from './background-server.ts';
import { leftOut } from './left-out.ts';

const HELP = `Usage: npm run test:dynamodb-local

Runs the tests of the API, whole services and backups, and seeds of the simulation, on AWS's own DynamoDB Local, which is
fetched once from Maven Central. Needs Java 11 or later, and Maven.

Options:
  --help              print this text

Environment variables:
  DYNAMODB_LOCAL_LIB  the folder of its libraries, if it need not be fetched

Example:
  npm run test:dynamodb-local`;

readCommandLine(HELP);

const VERSION = '2.6.1';
const WHAT = `the tests on DynamoDB Local ${VERSION}.`;
const MAIN = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner';
const FETCHED = join(ROOT, `node_modules/.cache/dynamodb-local-${VERSION}`);
/** The place in which the configuration of the tests has it. */
const REPORT = join(ROOT, 'dist/test-report.json');
const FOLDERS = ['tests/api', 'tests/end-to-end', 'tests/infra/backup'];
const SEEDS = [1, 2, 3];

const given = process.env.DYNAMODB_LOCAL_LIB;
const fetched = existsSync(join(FETCHED, `DynamoDBLocal-${VERSION}.jar`)) ? FETCHED : undefined;

if (!isInstalled('java', '-version')) skip(WHAT, 'They need Java 11 or later: `java` is not there.');
else if (!given && !fetched && !isInstalled('mvn', '--version'))
  skip(
    WHAT,
    'They need Maven, which fetches it (`mvn` is not there), or DYNAMODB_LOCAL_LIB: the folder of its libraries.',
  );
else await runOn(given ?? fetched ?? (await fetchIt()));

async function runOn(folder: string): Promise<void> {
  const library = ['-cp', join(folder, '*'), MAIN];
  const server = await startServer('java', (port) => [
    `-Djava.library.path=${folder}`,
    ...library,
    ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
  ]);
  try {
    await runAll(server.endpoint);
  } finally {
    await server.stop();
  }
}

/** @returns the folder of its libraries */
async function fetchIt(): Promise<string> {
  const pom = join(import.meta.dirname, 'dynamodb-local.pom.xml');
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${FETCHED}`];
  await mustRun('mvn', ['--quiet', '--batch-mode', '--file', pom, ...copy]);
  return FETCHED;
}

async function runAll(endpoint: string): Promise<void> {
  for (const { test, because } of leftOut) console.log(`left out: ${test} (${because})`);
  const pattern = `^(?!.*(${leftOut.map(({ test }) => test.split(' ').map(RegExp.escape).join('( > | )')).join('|')})$)`;
  const env = { ...process.env, DYNAMODB_ENDPOINT: endpoint };
  const reporters = ['--reporter=dot', '--reporter=json'];
  const args = ['run', ...FOLDERS, '-t', pattern, ...reporters];
  rmSync(REPORT, { force: true });
  const status = await run('vitest', args, env);
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(REPORT, 'utf8'));
  let failed = numFailedTests + (status !== 0 && numFailedTests === 0 ? 1 : 0);
  let passed = numPassedTests;
  for (const seed of SEEDS) {
    const simulated = await run('node', ['tests/simulation/main.ts', '--seed', String(seed)], env);
    if (simulated === 0) passed += 1;
    else failed += 1;
  }
  console.log(
    `DynamoDB Local ${VERSION}: ${leftOut.length} tests left out, named above with the reason; ${SEEDS.length} of the others are seeds of the simulation.`,
  );
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
