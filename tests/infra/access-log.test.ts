import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { describeFailure } from '#shared/runtime/log.ts';

let child: ChildProcess | undefined;
afterEach(async () => {
  if (!child || child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
});

/** A service that logs its requests; `lines` are the lines about them so far. */
async function start(environment: Record<string, string>) {
  let output = '';
  const started = spawn(process.execPath, ['infra/local/main.ts'], {
    env: { ...process.env, PORT: '0', DATA_DIR: ':memory:', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  await new Promise<void>((resolve) => {
    started.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Ctrl-C')) resolve();
    });
  });
  const [account = ''] = /(?<=curl -s -u )\S+/.exec(output) ?? [];
  return {
    url: /https?:\/\/[^\s/]+/.exec(output)?.[0] ?? '',
    account,
    lines: () => output.split('\n').filter((line) => line.includes('"A request"')),
    async stop() {
      started.kill('SIGTERM');
      await once(started, 'close');
    },
  };
}

test('A line about a failure has its name, cause and place, and a thrown value that is no error as it is', () => {
  const failure = new RangeError('Too far');
  expect(describeFailure(failure)).toEqual({
    failure: 'RangeError',
    reason: 'Too far',
    stack: failure.stack,
  });
  expect(describeFailure('away')).toEqual({ failure: 'away' });
  expect(describeFailure(undefined)).toEqual({ failure: 'undefined' });
});

describe('The access log', () => {
  test('Contains for each request its operation, status, address and account, and no secret', async () => {
    const service = await start({ ACCESS_LOG: 'true' });
    const authorization = `Basic ${Buffer.from(service.account).toString('base64')}`;
    const get = (path: string, headers = {}) => fetch(`${service.url}/api/v1${path}`, { headers });
    const { user_id: userId } = (await (await get('/users/me', { authorization })).json()) as {
      user_id: number;
    };
    await get('/users/me?secret=in-the-query');
    await get('/server_settings');
    await get('/nowhere');
    await service.stop();
    const figures = { readUnits: expect.any(Number), writeUnits: expect.any(Number) };
    const [units, none, settings] = [figures, figures, figures];
    const logged = service.lines().map((line) => JSON.parse(line));
    const known = { level: 'info', message: 'A request', address: '127.0.0.1' };
    for (const { durationMs } of logged.slice(0, 3)) expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(logged.map(({ requestId: _, durationMs: __, ...rest }) => rest)).toEqual([
      { ...known, route: 'GET /api/v1/users/me', status: 200, userId, ...units },
      { ...known, route: 'GET /api/v1/users/me', status: 401, ...none },
      { ...known, route: 'GET /api/v1/server_settings', status: 200, ...settings },
      { ...known, route: '$default', status: 404 },
    ]);
    expect(new Set(logged.map(({ requestId }) => requestId)).size).toBe(4);
    expect(service.lines().join()).not.toMatch(/in-the-query|Basic/);
  });

  test('Stays empty unless it is turned on', async () => {
    const service = await start({});
    await fetch(`${service.url}/api/v1/server_settings`);
    await service.stop();
    expect(service.lines()).toEqual([]);
  });
});
