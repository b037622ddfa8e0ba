import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { end, findFreePort, hasExited } from './child-process.ts';
import { StartFailure } from './start-failure.ts';

/** A running embedded DynamoDB. */
export interface Engine {
  endpoint: string;
  /** Ends the process; resolves when it has exited. */
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** The database file; without one all data is in memory. */
  databasePath?: string | undefined;
  /** Called when the process exits unexpectedly. */
  onLost?: (() => void) | undefined;
}

const READY_TIMEOUT_MS = 15_000;
const PORT_ATTEMPTS = 3;
const IS_WINDOWS = process.platform === 'win32';

/** Starts the embedded DynamoDB on a free port of the loopback interface. @throws StartFailure */
export function startEngine(options: EngineOptions = {}, binary = findEngineBinary()): Promise<Engine> {
  return onFreePort((port) => launch(binary, port, options));
}

/** Begins again, on another port, what did not start because another process took its port before it did. */
export async function onFreePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await findFreePort());
    } catch (failure) {
      if (!isPortTaken(failure) || attempt === PORT_ATTEMPTS) throw failure;
    }
  }
}

const isPortTaken = (failure: unknown): boolean =>
  failure instanceof StartFailure && /already in use/i.test(failure.message);

/**
 * The executable of the emulator package that npm installed for this platform.
 * @throws StartFailure without one
 */
export function findEngineBinary(platform: string = process.platform, architecture = process.arch): string {
  const packageName = `@dynoxide/${platform}-${architecture}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
    return join(dirname(manifest), platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch {
    throw new StartFailure(
      `The embedded DynamoDB is not installed (${packageName}): run npm ci, or name another DynamoDB by DYNAMODB_ENDPOINT.`,
    );
  }
}

async function launch(binary: string, port: number, options: EngineOptions): Promise<Engine> {
  const args = ['--host', '127.0.0.1', '--port', String(port)];
  if (options.databasePath !== undefined) args.push('--db-path', options.databasePath);
  const engine = spawn(binary, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group it does not get Ctrl-C; the service ends it.
    detached: !IS_WINDOWS,
    windowsHide: true,
  });
  const guard = IS_WINDOWS ? undefined : startGuard(engine);
  engine.once('exit', () => guard?.kill('SIGKILL'));
  const untilGone = () => Promise.all([end(engine), guard && hasExited(guard)]);
  try {
    await waitUntilReady(engine);
  } catch (failure) {
    // What never began does not exit.
    guard?.kill('SIGKILL');
    await untilGone();
    throw failure;
  }
  let isStopping = false;
  engine.once('exit', () => {
    if (!isStopping) options.onLost?.();
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      isStopping = true;
      await untilGone();
    },
  };
}

/** Resolves when the engine reports that it listens; rejects with its output when it exits before. */
function waitUntilReady(engine: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(
        new StartFailure(`The embedded DynamoDB did not start: ${reason.replaceAll(/\s+/g, ' ').trim()}`),
      );
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
    engine.once('close', () => fail(output || 'it ended at once'));
  });
}

/**
 * A shell that waits for the service to exit in any way, and then ends the engine. On Windows the system does
 * this by itself.
 */
function startGuard(engine: ChildProcess): ChildProcess {
  const script = 'read -r line; kill "$1"';
  const guard = spawn('sh', ['-c', script, 'guard', String(engine.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell, the engine still ends whenever the service ends regularly.
  guard.once('error', () => {});
  return guard;
}
