import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const STOP_TIMEOUT_MS = 1_000;

/** A port of the loopback interface on which nothing listens. Another process may take it before the caller does. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Ends a process, by force if it does not end by itself; resolves when it has exited. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  child.kill('SIGTERM');
  await hasExited(child);
  clearTimeout(timer);
}

export async function hasExited(child: ChildProcess): Promise<void> {
  const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  if (!isGone) await once(child, 'exit');
}
