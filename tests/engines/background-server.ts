import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { end, findFreePort } from '#tests/harness/wire-engine/child-process.ts';

/** A server of others that tests run against. */
export interface BackgroundServer {
  endpoint: string;
  stop(): Promise<void>;
}

const READY_ATTEMPTS = 240;
const PAUSE_MS = 250;

/** Starts a server with a port, and waits until it answers. @throws if it ends before */
export async function startServer(
  command: string,
  argumentsFor: (port: number) => string[],
  givenPort?: number,
): Promise<BackgroundServer> {
  const port = givenPort ?? (await findFreePort());
  const child = spawn(command, argumentsFor(port), { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
  const endpoint = `http://127.0.0.1:${port}`;
  for (let attempt = 1; !(await answers(endpoint)); attempt++) {
    if (child.exitCode !== null || attempt === READY_ATTEMPTS) {
      child.kill('SIGKILL');
      throw new Error(`${command} does not answer: ${said}`);
    }
    await pause(PAUSE_MS);
  }
  return { endpoint, stop: () => end(child) };
}

/** Whether a program can be called by its name. */
export const isInstalled = (program: string, versionFlag: string): boolean =>
  spawnSync(program, [versionFlag], { stdio: 'ignore' }).status === 0;

/** Runs a command to its end, and shows its output. @returns its status */
export async function run(command: string, args: string[], env = process.env): Promise<number> {
  // Not at once as spawnSync does, since the server beside it has to be listened to.
  const child = spawn(command, args, { stdio: 'inherit', env });
  const [status] = (await once(child, 'close')) as [number | null];
  return status ?? 1;
}

/** @throws when the command fails */
export async function mustRun(command: string, args: string[]): Promise<void> {
  const status = await run(command, args);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${status}`);
}

/** Names missing programs, so that no one takes a skipped test for a passed one. */
export function skip(what: string, needs: string): void {
  console.log(`\nNOT RUN: ${what}\n         ${needs}\n`);
}

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );
