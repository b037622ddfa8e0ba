import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '#infra/command-line.ts';
import { ROOT } from '#tests/infra/root.ts';
import { isInstalled, mustRun, run, skip, startServer } from './background-server.ts';

const HELP = `Usage: npm run test:emulators

Runs the product's calls of AWS services, and a backup of a deployed stage, against moto, which validates requests by the
models of the services. Moto is fetched once from PyPI. Needs Python 3 with venv.

Options:
  --help  print this text

Example:
  npm run test:emulators`;

readCommandLine(HELP);

const VERSION = '5.2.5';
const FOLDER = join(ROOT, `node_modules/.cache/moto-${VERSION}`);
const SERVER = join(FOLDER, 'bin/moto_server');

if (!isInstalled('python3', '--version') && !existsSync(SERVER))
  skip(`the tests against moto ${VERSION}.`, 'They need Python 3 with venv: `python3` is not there.');
else {
  if (!existsSync(SERVER)) {
    await mustRun('python3', ['-m', 'venv', FOLDER]);
    await mustRun(join(FOLDER, 'bin/pip'), ['install', '--quiet', `moto[server]==${VERSION}`]);
  }
  const server = await startServer(SERVER, (port) => ['-H', '127.0.0.1', '-p', String(port)]);
  try {
    const env = { ...process.env, MOTO_ENDPOINT: server.endpoint };
    const config = join(import.meta.dirname, 'vitest.config.ts');
    process.exitCode = await run('vitest', ['run', '--config', config, 'emulated'], env);
  } finally {
    await server.stop();
  }
}
