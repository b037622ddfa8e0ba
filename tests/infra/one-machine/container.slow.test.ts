import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { findFreePort } from '#tests/harness/wire-engine/child-process.ts';
import { environmentOf, ROOT, readCopy, readStages, type Stage, textsOf } from './dockerfile.ts';

const [, final] = readStages() as [Stage, Stage];
/** The contents of the final stage of the Dockerfile. */
const image = temporaryFolder('image');
let port: number;
let child: ChildProcess;
let output = '';

beforeAll(async () => {
  for (const script of ['build:local', 'sbom']) execFileSync('npm', ['run', script], { cwd: ROOT });
  for (const { from, to } of textsOf(final, 'COPY').map(readCopy))
    for (const path of from) {
      const isFolder = to.endsWith('/');
      cpSync(join(ROOT, path), join(image, to, isFolder ? (path.split('/').at(-1) ?? '') : ''), {
        recursive: true,
      });
    }
  port = await findFreePort();
  const [command, ...args] = JSON.parse(textsOf(final, 'CMD')[0] ?? '') as [string, ...string[]];
  child = spawn(command, args, { cwd: image, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      if (output.includes('listens at')) resolve();
    });
  });
});
afterAll(async () => {
  child.kill('SIGTERM');
  await once(child, 'exit');
});

const environment = () => ({
  PATH: process.env.PATH,
  ...environmentOf(final),
  DATA_DIR: join(image, 'data'),
  PORT: String(port),
  PUBLIC_URL: 'https://chat.example.org',
  OWNER_EMAIL: 'ada@example.org',
});

test('The files of the container suffice to serve the API, the web client and the API page', async () => {
  const url = `http://127.0.0.1:${port}`;
  expect(output).toContain('Team Chat serves https://chat.example.org');
  for (const path of ['/health', '/', '/docs', '/api/v1/server_settings'])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
});

test('The health check of the container succeeds, and the owner gets a link to sign in', () => {
  const [, check = '[]'] = /CMD (\[.*\])$/.exec(textsOf(final, 'HEALTHCHECK')[0] ?? '') ?? [];
  const [command, ...args] = JSON.parse(check) as [string, ...string[]];
  execFileSync(command, args, { env: environment() });
  const link = execFileSync('node', ['infra/local/serve-built.ts', '--sign-in-link'], {
    cwd: image,
    env: environment(),
    encoding: 'utf8',
  });
  expect(link).toMatch(/^https:\/\/chat\.example\.org\/login\/\?token=/);
});
