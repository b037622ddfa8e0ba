import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '#tests/harness/file-end.ts';

const folder = temporaryFolder('serve');
const OWNER_EMAIL = 'ada@example.org';
const running = new Set<ChildProcess>();
const settings = { PUBLIC_URL: 'https://chat.example.org', TRUSTED_PROXY: '1', OWNER_EMAIL, PORT: '0' };

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

interface Started {
  child: ChildProcess;
  url: string;
  output: string;
}

/** Runs the command until it prints its address, or ends. */
async function serve(environment: Record<string, string>): Promise<Started & { exitCode: number | null }> {
  const child = spawn(process.execPath, ['infra/local/main.ts', '--serve'], {
    env: { ...process.env, DATA_DIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const take = (chunk: Buffer): void => {
    output += chunk;
    if (output.includes('listens at')) resolve();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  child.once('close', () => resolve());
  await begun;
  const [url = ''] = /http:\/\/[\d.]+:\d+/.exec(output) ?? [];
  return { child, url, output, exitCode: child.exitCode };
}

async function end({ child }: Started): Promise<void> {
  child.kill('SIGTERM');
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(0);
}

test('The command npm run serve needs an owner at its first start, then serves its public address and prints no key', async () => {
  const without = await serve({ ...settings, OWNER_EMAIL: '' });
  expect([without.exitCode, without.output]).toEqual([1, expect.stringMatching(/^OWNER_EMAIL must name/)]);
  const first = await serve(settings);
  const [, apiKey = ''] = /^key=(.+)$/m.exec(readFileSync(join(folder, 'owner.zuliprc'), 'utf8')) ?? [];
  expect(apiKey).toMatch(/^\w{32}$/);
  expect(first.output).toContain('Team Chat serves https://chat.example.org');
  expect(first.output).not.toContain(apiKey);
  expect(first.output).not.toContain('token=');
  expect((await fetch(`${first.url}/health`)).status).toBe(200);
  expect((await fetch(`${first.url}/api/v1/dev_fetch_api_key`, { method: 'POST' })).status).toBe(404);
  const environment = { ...process.env, DATA_DIR: folder };
  const link = execFileSync(process.execPath, ['infra/local/print-sign-in-link.ts'], { env: environment });
  expect(String(link)).toMatch(/^https:\/\/chat\.example\.org\/login\/\?token=[\w-]{43}\n$/);
  await end(first);
  // The owner is known by now.
  const second = await serve({ ...settings, OWNER_EMAIL: '' });
  const headers = { authorization: `Basic ${btoa(`${OWNER_EMAIL}:${apiKey}`)}` };
  expect((await fetch(`${second.url}/api/v1/users/me`, { headers })).status).toBe(200);
  await end(second);
});

test('Each wrong setting of npm run serve gives one clear line and exit code 2', async () => {
  for (const [name, value] of [
    ['PUBLIC_URL', 'chat.example.org'],
    ['TRUSTED_PROXY', 'yes'],
    ['SMTP_URL', 'mail.example.org'],
  ] as const) {
    const { exitCode, output } = await serve({ ...settings, [name]: value });
    expect([name, exitCode]).toEqual([name, 2]);
    expect(output).toMatch(new RegExp(`^${name} must be [^\n]*\n$`));
  }
});
