import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '#infra/command-line.ts';
import { listProblems, type SamReading } from './compare.ts';
import { requests } from './requests.ts';

const HELP = `Usage: npm run test:sam

Reads the template of \`npm run template:sam\` by SAM's own code, without Docker: every route and function, and the events
of its local gateway. Then runs \`sam validate --lint\`. SAM is installed from PyPI into a temporary folder. Needs Python 3.

Options:
  --help  print this text

Example:
  npm run test:sam`;

readCommandLine(HELP);

const SAM = 'aws-sam-cli==1.170.0';
const VENV = join(tmpdir(), `team-chat-${SAM.replaceAll('=', '')}`);
const env = { ...process.env, SAM_CLI_TELEMETRY: '0', AWS_DEFAULT_REGION: 'us-east-1' };

function run(command: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0)
    throw new Error(
      `${command} ${args.join(' ').slice(0, 200)}\n${`${error ?? stderr}${stdout}`.slice(0, 4_000)}`,
    );
  return stdout;
}

/** @returns the folder of its programs */
function installSam(): string {
  const bin = join(VENV, process.platform === 'win32' ? 'Scripts' : 'bin');
  if (!existsSync(join(bin, 'sam'))) {
    console.log(`Installing ${SAM} into ${VENV}`);
    run('python3', ['-m', 'venv', VENV]);
    run(join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', SAM]);
  }
  return bin;
}

if (spawnSync('python3', ['--version']).status !== 0) {
  console.log('NOT CHECKED: there is no python3, so nothing was read by SAM.');
  process.exit(0);
}
const bin = installSam();
// Loaded on demand, because the service and the CDK are much code.
const [{ endpoints }, { fileNameOf, listFunctions }, { buildFunctions }, { writeSamFolder }] =
  await Promise.all([
    import('#functions/routes.ts'),
    import('#infra/aws/functions.ts'),
    import('#infra/build/build.ts'),
    import('#infra/sam/folder.ts'),
  ]);
const dist = mkdtempSync(join(tmpdir(), 'team-chat-sam-'));
try {
  await buildFunctions(dist);
  // SAM only looks whether the layer is there.
  mkdirSync(join(dist, 'web'));
  const template = await writeSamFolder({
    folder: join(dist, 'sam'),
    dist,
    architecture: 'x86_64',
    endpoints: { dynamodb: 'http://dynamodb:8000', aws: 'http://aws:5000' },
    context: {},
  });
  const reader = join(import.meta.dirname, 'read_template.py');
  const reading: SamReading = JSON.parse(
    run(join(bin, 'python'), [reader, template, JSON.stringify(requests.map(({ request }) => request))]),
  );
  const problems = listProblems(reading, endpoints, fileNameOf, listFunctions());
  for (const problem of problems) console.log(`FAILED: ${problem}`);
  console.log(
    `SAM reads ${reading.routes.length} routes, ${reading.functions.length} functions and ${reading.answers.length} requests`,
  );
  console.log(run(join(bin, 'sam'), ['validate', '--lint', '--template', template]).trim());
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(dist, { recursive: true });
}
