import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { end, findFreePort, hasExited } from '#infra/local/child-process.ts';

/** A process that says when it is there. */
async function start(script: string) {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('there')`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return child;
}
const WAITS = 'setInterval(() => {}, 1000)';

describe('a process that is ended', () => {
  test('is asked to end, and gone when the call answers', async () => {
    const child = await start(WAITS);
    await end(child);
    expect(child.signalCode).toBe('SIGTERM');
    await end(child);
    await hasExited(child);
  });

  test('is ended by force where it does not end by itself', async () => {
    const child = await start(`process.on('SIGTERM', () => {}); ${WAITS}`);
    await end(child);
    expect(child.signalCode).toBe('SIGKILL');
  });

  test('may have time to end by itself', async () => {
    const child = await start(`process.on('SIGTERM', () => setTimeout(() => process.exit(3), 50)); ${WAITS}`);
    await end(child);
    expect([child.exitCode, child.signalCode]).toEqual([3, null]);
    await end(child);
  });

  test('is not waited for where it never began', async () => {
    const child = spawn('/no/such/program', { stdio: 'ignore' });
    child.once('error', () => undefined);
    await hasExited(child);
  });
});

test('a free port is one on which a server can listen', async () => {
  const port = await findFreePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
});
