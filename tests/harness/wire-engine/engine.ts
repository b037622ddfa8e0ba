import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { atFileEnd } from '#tests/harness/file-end.ts';
import { end, findFreePort, hasExited } from './child-process.ts';

/** A running emulator of DynamoDB. */
export interface Engine {
  endpoint: string;
  /** Ends the process; resolves when it has exited. */
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 15_000;
const PORT_ATTEMPTS = 3;

/**
 * Starts an emulator of DynamoDB, in memory, on a free port of the loopback interface. It ends with the file of tests at
 * the latest.
 */
export async function startEngine(): Promise<Engine> {
  for (let attempt = 1; ; attempt++) {
    try {
      const engine = await launch(await findFreePort());
      atFileEnd(engine.stop);
      return engine;
    } catch (failure) {
      // Another process may have taken the port meanwhile.
      if (attempt === PORT_ATTEMPTS || !/already in use/i.test(String(failure))) throw failure;
    }
  }
}

/** The executable of the package that npm installed for this platform. */
function findBinary(): string {
  const packageName = `@dynoxide/${process.platform}-${process.arch}`;
  const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
  return join(dirname(manifest), process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
}

async function launch(port: number): Promise<Engine> {
  const args = ['--host', '127.0.0.1', '--port', String(port)];
  const engine = spawn(findBinary(), args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  const guard = process.platform === 'win32' ? undefined : startGuard(engine);
  engine.once('exit', () => guard?.kill('SIGKILL'));
  const stop = async (): Promise<void> => {
    await Promise.all([end(engine), guard && hasExited(guard)]);
  };
  try {
    await waitUntilReady(engine);
  } catch (failure) {
    guard?.kill('SIGKILL');
    await stop();
    throw failure;
  }
  return { endpoint: `http://127.0.0.1:${port}`, stop };
}

/** Resolves when the engine reports that it listens; rejects with its output when it exits before. */
function waitUntilReady(engine: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(new Error(`The emulator of DynamoDB did not start: ${reason}`));
    };
    const timer = setTimeout(() => fail('it does not answer'), READY_TIMEOUT_MS);
    const read = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-2_000);
      if (!/listening on/i.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    engine.stdout?.on('data', read);
    engine.stderr?.on('data', read);
    engine.once('error', (failure) => fail(failure.message));
    engine.once('close', () => fail(output));
  });
}

/** A shell that waits for this process to exit in any way, and then ends the engine. */
function startGuard(engine: ChildProcess): ChildProcess {
  const guard = spawn('sh', ['-c', 'read -r line; kill "$1"', 'guard', String(engine.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.once('error', () => {});
  return guard;
}
