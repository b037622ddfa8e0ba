import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { TABLE_FILE } from '#infra/local/data-folder.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { startEngine } from '#tests/harness/wire-engine/engine.ts';

const OWNER = "o'hara@example.com";
const folder = temporaryFolder('local-main');
/** The settings of the service that most tests share, because a start takes a second of the processor. */
const shared = {
  DATA_DIR: join(folder, 'shared'),
  ORGANIZATION_NAME: 'Kitchen & Garden',
  OWNER_EMAIL: OWNER,
  OWNER_PASSWORD: 'correct horse battery',
};
let current: Started | undefined;
const running = new Set<ChildProcess>();

afterEach(() => endAllBut(current));
afterAll(() => endAllBut(undefined));

interface Started {
  child: ChildProcess;
  url: string;
  output: string;
}

async function endAllBut(kept: Started | undefined): Promise<void> {
  const others = [...running].filter((child) => child !== kept?.child);
  await Promise.all(others.map((child) => end(child, 'SIGKILL')));
}

/** The service of the shared folder: the running one, or the next one if a test has ended it. */
async function findMain(): Promise<Started> {
  if (!current || !running.has(current.child)) current = await startMain(shared);
  return current;
}

const spawnMain = (environment: Record<string, string>, args: string[] = []): ChildProcess => {
  const child = spawn(process.execPath, ['infra/local/main.ts', ...args], {
    env: { ...process.env, PORT: '0', DATA_DIR: ':memory:', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
};

const collect = (child: ChildProcess): { out: string; error: string } => {
  const texts = { out: '', error: '' };
  child.stdout?.on('data', (chunk) => (texts.out += chunk));
  child.stderr?.on('data', (chunk) => (texts.error += chunk));
  return texts;
};

/** Runs to the end and returns the result. */
async function runMain(environment: Record<string, string>, args: string[] = []) {
  const child = spawnMain(environment, args);
  const texts = collect(child);
  const [exitCode] = await once(child, 'close');
  return { exitCode, ...texts };
}

/** Starts the service and waits until it says that it is there. */
async function startMain(environment: Record<string, string> = {}): Promise<Started> {
  const child = spawnMain(environment);
  const texts = collect(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => texts.out.includes('Ctrl-C') && resolve());
    child.once('close', () => reject(new Error(`The service did not start: ${texts.error}`)));
  });
  const url = /https?:\/\/[^\s/]+/.exec(texts.out)?.[0] ?? '';
  return { child, url, output: texts.out };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const [exitCode] = await ended;
  return exitCode;
}

/** The part of the printed text after a label. */
const printed = (output: string, label: string): string =>
  new RegExp(`${label} +(\\S+)`).exec(output)?.[1] ?? '';

const fetchJson = async (url: string, init?: RequestInit): Promise<Record<string, unknown>> =>
  (await fetch(url, init)).json() as Promise<Record<string, unknown>>;

const post = (url: string, parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  fetchJson(url, { method: 'POST', headers, body: new URLSearchParams(parameters) });

describe('npm start', () => {
  test('--help lists every setting', async () => {
    const { exitCode, out } = await runMain({}, ['--help']);
    expect(exitCode).toBe(0);
    for (const name of [
      'PORT',
      'HOST',
      'DATA_DIR',
      'DYNAMODB_ENDPOINT',
      'ORGANIZATION_NAME',
      'OWNER_EMAIL',
      'REQUESTS_PER_MINUTE',
    ])
      expect(out).toContain(name);
    expect(out).toContain('OWNER_PASSWORD');
    expect(out).toContain(':memory:');
  });

  test('Prints address, owner and key, and a curl line that works when pasted', async () => {
    const { url, output } = await findMain();
    expect(output).toContain(`${url}/api/v1`);
    const line = output.split('\n').find((one) => one.includes('curl')) ?? '';
    const me = JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8' }));
    expect(me).toMatchObject({ result: 'success', email: OWNER, is_owner: true });
    expect(printed(output, 'owner')).toBe(OWNER);
    expect(printed(output, 'API key')).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(output).toMatch(new RegExp(`^ {2}${url}/login/\\?token=[\\w-]{43}$`, 'm'));
  });

  test('Has higher limits than AWS, unless configured otherwise', async () => {
    const limitOf = async ({ url }: Started) =>
      (await fetch(`${url}/api/v1/server_settings`)).headers.get('x-ratelimit-limit');
    expect(await limitOf(await findMain())).toBe('5000');
    expect(await limitOf(await startMain({ REQUESTS_PER_MINUTE: '200' }))).toBe('100');
  });

  test('Names the organization at the first start and gives its owner a password', async () => {
    const { url } = await findMain();
    const settings = await fetchJson(`${url}/api/v1/server_settings`);
    expect(settings).toMatchObject({ realm_name: 'Kitchen & Garden', realm_url: url });
    const account = { username: OWNER, password: shared.OWNER_PASSWORD };
    const signIn = await post(`${url}/api/v1/fetch_api_key`, account);
    expect(signIn).toMatchObject({ result: 'success', email: OWNER });
  });

  test('Returns keys with DEV_KEYS=true, and has no such operation without it', async () => {
    const fetchKey = ({ url }: Started) => post(`${url}/api/v1/dev_fetch_api_key`, { username: OWNER });
    expect(await fetchKey(await findMain())).toMatchObject({ result: 'error' });
    const open = await startMain({ DEV_KEYS: 'true', OWNER_EMAIL: OWNER });
    expect(await fetchKey(open)).toMatchObject({ api_key: printed(open.output, 'API key'), email: OWNER });
  });

  test('Finds its data again at a second start, and the owner keeps the key', async () => {
    const { DATA_DIR: dataDir } = shared;
    const first = await findMain();
    const owner = await readFile(join(dataDir, 'owner.zuliprc'), 'utf8');
    await end(first.child, 'SIGTERM');
    const second = await startMain({ DATA_DIR: dataDir, ORGANIZATION_NAME: 'Other' });
    current = second;
    expect(printed(second.output, 'API key')).toBe(printed(first.output, 'API key'));
    expect(await fetchJson(`${second.url}/api/v1/server_settings`)).toMatchObject({
      realm_name: 'Kitchen & Garden',
      realm_url: second.url,
    });
    expect(owner).toBe(`[api]\nemail=${OWNER}\nkey=${printed(first.output, 'API key')}\nsite=${first.url}\n`);
    expect((await stat(join(dataDir, 'owner.zuliprc'))).mode & 0o777).toBe(0o600);
    const names = await readdir(dataDir);
    expect(names).toContain(TABLE_FILE);
    for (const name of names)
      expect([name, (await stat(join(dataDir, name))).mode & 0o077]).toEqual([name, 0]);
  });

  test('Can use another DynamoDB instead of the embedded one', async () => {
    const engine = await startEngine();
    const dataDir = join(folder, 'elsewhere');
    const { url, output } = await startMain({ DYNAMODB_ENDPOINT: engine.endpoint, DATA_DIR: dataDir });
    expect(await fetchJson(`${url}/api/v1/server_settings`)).toMatchObject({ result: 'success' });
    expect(output).toContain(join(dataDir, 'owner.zuliprc'));
    expect(printed(output, 'owner')).toBe('owner@example.com');
  });
});

describe('An invalid start prints one clear line and exits with code 1, or 2 if a setting is wrong', () => {
  const expectOneLine = async (
    wanted: RegExp,
    environment: Record<string, string>,
    expectedExitCode = 1,
  ): Promise<void> => {
    const { exitCode, out, error } = await runMain(environment);
    expect(error).toMatch(wanted);
    expect(error.trim().split('\n')).toHaveLength(1);
    expect(out).toBe('');
    expect(exitCode).toBe(expectedExitCode);
  };

  test.each(['http', '-1', '65536', '1.5', '0x50'])('The port %s', (port) =>
    expectOneLine(/^PORT must be a number/, { PORT: port }, 2),
  );

  test.each(['0', '-1', 'many', '1e3'])('A limit of %s requests', (limit) =>
    expectOneLine(/^REQUESTS_PER_MINUTE must be a number/, { REQUESTS_PER_MINUTE: limit }, 2),
  );

  test.each<[RegExp, Record<string, string>, exitCode: number]>([
    [/^OWNER_EMAIL/, { OWNER_EMAIL: 'ada' }, 2],
    [/^DYNAMODB_ENDPOINT/, { DYNAMODB_ENDPOINT: 'localhost:8000' }, 2],
    [/^DynamoDB does not answer at/, { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' }, 1],
    [/cannot listen on 192\.0\.2\.1/, { HOST: '192.0.2.1' }, 1],
    [/^DEV_KEYS=true/, { DEV_KEYS: 'true', HOST: '0.0.0.0' }, 1],
  ])('%s for the settings %j', expectOneLine);

  test('A port in use', async () => {
    const { port } = await serveLocally(() => {});
    await expectOneLine(/already in use/, { PORT: String(port), DATA_DIR: join(folder, 'port') });
  });

  test('A folder that cannot be written', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expectOneLine(/cannot be written/, { DATA_DIR: join(file, 'data') });
    await expectOneLine(/cannot be written/, { DATA_DIR: file });
  });

  test('A folder that another service uses', async () => {
    await findMain();
    await expectOneLine(/in use by another service/, shared);
  });
});

describe('Ending the service', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s answers open long polls', async (signal) => {
    const { child, url, output } = await findMain();
    const account = `${printed(output, 'owner')}:${printed(output, 'API key')}`;
    const headers = { Authorization: `Basic ${btoa(account)}` };
    const queue = await post(`${url}/api/v1/register`, { event_types: '["message"]' }, headers);
    expect(queue.result).toBe('success');
    const place = { queue_id: String(queue.queue_id), last_event_id: String(queue.last_event_id) };
    const poll = fetch(`${url}/api/v1/events?${new URLSearchParams(place)}`, { headers });
    const outcome = poll.then(
      () => 'answered',
      () => 'closed',
    );
    // The poll travels first; a request behind it has an answer when the poll is held.
    await fetchJson(`${url}/api/v1/users/me`, { headers });
    expect(await end(child, signal)).toBe(0);
    expect(await outcome).toBe('answered');
  });

  test('The next start after SIGKILL finds the data', async () => {
    const { child, output } = await findMain();
    await end(child, 'SIGKILL');
    const next = await findMain();
    expect(next.child).not.toBe(child);
    expect(printed(next.output, 'API key')).toBe(printed(output, 'API key'));
  });
});
