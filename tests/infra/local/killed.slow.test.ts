import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '#tests/harness/file-end.ts';

const ROUNDS = 10;
const SENDERS = 8;
const CHANNEL = 'load';

const dataDir = temporaryFolder('killed');
let child: ChildProcess | undefined;
afterAll(() => child && kill(child));

interface Running {
  child: ChildProcess;
  call: (method: string, path: string, params?: Record<string, string>) => Promise<Reply>;
}

interface Reply {
  result: string;
  id: number;
  messages: { id: number; content: string }[];
}

async function start(): Promise<Running> {
  child = spawn(process.execPath, ['infra/local/main.ts'], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, REQUESTS_PER_MINUTE: '10000000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += chunk;
    if (output.includes('Ctrl-C')) break;
  }
  const [url = ''] = /https?:\/\/[^\s/]+/.exec(output) ?? [];
  const zuliprc = readFileSync(join(dataDir, 'owner.zuliprc'), 'utf8');
  const read = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(zuliprc)?.[1] ?? '';
  const headers = { authorization: `Basic ${btoa(`${read('email')}:${read('key')}`)}` };
  const call: Running['call'] = async (method, path, params = {}) => {
    const form = new URLSearchParams(params);
    const reply = await (method === 'GET'
      ? fetch(`${url}/api/v1${path}?${form}`, { headers })
      : fetch(`${url}/api/v1${path}`, { method, headers, body: form }));
    return (await reply.json()) as Reply;
  };
  return { child, call };
}

async function kill(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return;
  const ended = once(running, 'exit');
  running.kill('SIGKILL');
  await ended;
}

/** Sends until the service is gone, and gives the texts by the ids that it acknowledged. */
async function sendUntilGone({ call }: Running, name: string): Promise<[number, string][]> {
  const acknowledged: [number, string][] = [];
  for (let count = 0; ; count++) {
    const content = `${name}, message ${count}`;
    try {
      const { result, id } = await call('POST', '/messages', {
        ...{ type: 'channel', to: CHANNEL, topic: name, content },
      });
      if (result === 'success') acknowledged.push([id, content]);
    } catch {
      return acknowledged;
    }
  }
}

test('No acknowledged message is lost or doubled when the service is killed under load', async () => {
  const acknowledged: [number, string][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const running = await start();
    if (round === 0)
      await running.call('POST', '/users/me/subscriptions', { subscriptions: `[{"name":"${CHANNEL}"}]` });
    const sending = Array.from({ length: SENDERS }, (_, n) =>
      sendUntilGone(running, `Round ${round}, sender ${n}`),
    );
    await pause(200 + Math.random() * 500);
    await kill(running.child);
    acknowledged.push(...(await Promise.all(sending)).flat());
  }
  expect(acknowledged.length).toBeGreaterThan(ROUNDS * SENDERS);
  const { call } = await start();
  const kept = new Map<number, string>();
  for (let anchor = '0'; ; ) {
    const { messages } = await call('GET', '/messages', {
      ...{ anchor, include_anchor: 'false', num_before: '0', num_after: '1000', apply_markdown: 'false' },
      narrow: `[["channel","${CHANNEL}"]]`,
    });
    for (const { id, content } of messages) kept.set(id, content);
    if (messages.length === 0) break;
    anchor = String(messages.at(-1)?.id);
  }
  expect(acknowledged.filter(([id, content]) => kept.get(id) !== content)).toEqual([]);
  const texts = [...kept.values()];
  expect(texts.length).toBe(new Set(texts).size);
});
