import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '#tests/harness/wire-engine/child-process.ts';

/** The resource usage of a process, and its memory after garbage collection. */
export interface ProcessUsage {
  cpuMs: number;
  heapBytes: number;
  /** All that the operating system gave it. */
  residentBytes: number;
}

export interface PollerOptions {
  /** The folder that `buildPoller` was given. */
  folder: string;
  tableName: string;
  dynamodbEndpoint: string;
}

/** The headers that the distribution adds to a request. */
export const throughDistribution = { 'x-origin-secret': 'a secret', 'x-viewer-address': '203.0.113.7' };

const REPORT = `process.on('message', (message) => {
  if (message === 'defects') {
    Promise.reject(new Error('promised'));
    throw new Error('thrown');
  }
  globalThis.gc();
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  process.send({ cpuMs: (user + system) / 1000, heapBytes: heapUsed, residentBytes: rss });
});`;
const START_ATTEMPTS = 400;
const START_PAUSE_MS = 25;

/** The built poller as a process of its own, as a web function starts it. */
export class RunningPoller {
  readonly url: string;
  /** Its output. */
  readonly output: string[];
  readonly #process: ChildProcess;

  private constructor(port: number, child: ChildProcess, output: string[]) {
    this.url = `http://127.0.0.1:${port}/api/v1`;
    this.#process = child;
    this.output = output;
  }

  static async start(options: PollerOptions): Promise<RunningPoller> {
    const port = await findFreePort();
    const child = spawnPoller(options, { AWS_LAMBDA_HTTP_ENDPOINT: `127.0.0.1:${port}` });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
    for (let attempt = 0; attempt < START_ATTEMPTS && child.exitCode === null; attempt++) {
      if (await isListening(port)) return new RunningPoller(port, child, output);
      await pause(START_PAUSE_MS);
    }
    child.kill('SIGKILL');
    throw new Error(`The poller did not begin to listen: ${output.join('')}`);
  }

  async usage(): Promise<ProcessUsage> {
    const reported = once(this.#process, 'message');
    this.#process.send('usage');
    const [usage] = await reported;
    return usage;
  }

  /** Lets code that belongs to no request throw, and reject a promise. */
  causeDefects(): void {
    this.#process.send('defects');
  }

  /** Signals the process to end, as Lambda does. @returns its exit code */
  async end(): Promise<number | null> {
    if (this.#process.exitCode !== null) return this.#process.exitCode;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
    return this.#process.exitCode;
  }
}

/** Starts the program with the variables of its stack, and Lambda's own. */
export function spawnPoller(
  { folder, tableName, dynamodbEndpoint }: PollerOptions,
  variables: Record<string, string>,
): ChildProcess {
  const report = `data:text/javascript,${encodeURIComponent(REPORT)}`;
  return spawn(process.execPath, ['--expose-gc', '--import', report, join(folder, 'poller/index.js')], {
    env: {
      PATH: process.env.PATH,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
      TABLE_NAME: tableName,
      ORIGIN_SECRET: throughDistribution['x-origin-secret'],
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
