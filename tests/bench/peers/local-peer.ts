import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Peer } from './peer-client.ts';

/** Options of Node such as `--cpu-prof` go on to the service. */
const MAIN = join(import.meta.dirname, '../../../infra/local/main.ts');

export interface LocalPeer extends Peer {
  stop(): Promise<void>;
}

/** The local service as `npm start` runs it, in a process of its own and with a new data folder. */
export async function startLocalPeer(): Promise<LocalPeer> {
  const folder = await mkdtemp(join(tmpdir(), 'peers-'));
  const service = spawn(process.execPath, [...process.execArgv, MAIN], {
    env: { ...process.env, PORT: '0', DATA_DIR: folder, REQUESTS_PER_MINUTE: '100000000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Not left behind by a bench that fails.
  process.once('exit', () => service.kill());
  const started = new Promise<void>((resolve, reject) => {
    service.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('API key')) resolve();
    });
    service.once('exit', (code) => reject(new Error(`The local service ended at once (${code})`)));
  });
  await started;
  const access = await readFile(join(folder, 'owner.zuliprc'), 'utf8');
  const settingOf = (name: string): string => new RegExp(`^${name}=(.+)$`, 'm').exec(access)?.[1] ?? '';
  return {
    name: 'local service',
    url: settingOf('site'),
    email: settingOf('email'),
    key: settingOf('key'),
    async stop() {
      const ended = once(service, 'exit');
      service.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
