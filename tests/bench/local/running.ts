import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../../..');
const EMPTY_SERVER = join(import.meta.dirname, 'empty-server.ts');
const MAIN = join(ROOT, 'infra/local/main.ts');
const KNOCK_EVERY_MS = 2;

/** A server in a process of its own. */
export interface Running {
  port: number;
  pid: number;
  /** From its spawn until it accepted connections. */
  startMs: number;
  stop(): Promise<void>;
}

/** An HTTP server that answers everything with two bytes. */
export async function startEmptyServer(): Promise<Running> {
  const beganMs = performance.now();
  const child = spawn(process.execPath, [EMPTY_SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  return running(child, Number(line), performance.now() - beganMs);
}

/** The local service as `npm start` runs it, once it accepts connections and has printed its start message. */
export async function startLocal(dataDir: string, port: number): Promise<Running> {
  const beganMs = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      OWNER_EMAIL: OWNER.email,
      OWNER_PASSWORD: OWNER.password,
      REQUESTS_PER_MINUTE: '100000000',
      POLLS_PER_PERSON: '100',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const described = untilDescribed(child);
  while (!(await isListening(port))) await pause(KNOCK_EVERY_MS);
  const startMs = performance.now() - beganMs;
  await described;
  return running(child, port, startMs);
}

export const OWNER = { email: 'owner@example.com', password: 'a password of the bench' };

async function untilDescribed(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('The output of the service is not read.');
  for await (const line of createInterface(child.stdout)) if (line.startsWith('Ctrl-C')) break;
  child.stdout.resume();
}

function running(child: ChildProcess, port: number, startMs: number): Running {
  // Not left behind by a bench that fails.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    port,
    pid: child.pid ?? 0,
    startMs,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      process.off('exit', kill);
    },
  };
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** The memory of a process that is in RAM, in mebibytes. */
export const residentMebibytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
