import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { writeOwnerFile } from '#infra/local/owner-file.ts';
import { createSignInLink } from '#infra/local/sign-in-link.ts';
import { startService } from '#infra/local/start.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { startTestService } from '#tests/harness/service.ts';
import { runNode } from '#tests/infra/run-node.ts';

const folder = temporaryFolder('sign-in-link');

const run = promisify(execFile);
const printLink = async (dataDir: string): Promise<URL> => {
  const env = { ...process.env, DATA_DIR: dataDir };
  return new URL((await run(process.execPath, ['infra/local/print-sign-in-link.ts'], { env })).stdout.trim());
};

async function signIn({ url }: { url: string }, link: URL): Promise<unknown> {
  const token = link.searchParams.get('token') ?? '';
  const body = new URLSearchParams({ token });
  return (await fetch(`${url}/api/v1/session`, { method: 'POST', body })).json();
}

test('A link works for fifteen minutes', async () => {
  const service = await startTestService();
  const { url, services } = service;
  const links = [1, 2].map(() => createSignInLink(services, url, service.owner.email));
  const [inTime, late] = (await Promise.all(links)).map((link) => new URL(link));
  service.advance(15 * 60_000 - 2_000);
  expect(await signIn(service, inTime!)).toMatchObject({ result: 'success' });
  service.advance(4_000);
  expect(await signIn(service, late!)).toMatchObject({ result: 'error' });
});

describe('npm run sign-in-link', () => {
  test('Prints links of the owner while the service runs, and for its next start', async () => {
    const first = await startService({ port: 0, dataDir: folder });
    await writeOwnerFile(folder, { ...first.owner, url: first.url });
    const link = await printLink(folder);
    expect(link.href).toContain(`${first.url}/login/?token=`);
    expect(await signIn(first, link)).toMatchObject({ result: 'success', email: first.owner.email });
    expect(await signIn(first, link)).toMatchObject({ result: 'error' });
    await first.stop();
    const early = await printLink(folder);
    const second = await startService({ port: 0, dataDir: folder });
    expect(await signIn(second, early)).toMatchObject({ result: 'success', email: second.owner.email });
    await second.stop();
  });

  test('Prints in one line that a service without a data folder printed its link at the start, and fails', async () => {
    const { status, stdout, stderr } = await runNode('infra/local/print-sign-in-link.ts', [], {
      DATA_DIR: ':memory:',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe('A service that keeps nothing prints its sign-in link when it starts.\n');
  });

  test('Prints the missing requirement if no service has started yet', async () => {
    const printing = printLink(join(folder, 'nothing'));
    await expect(printing).rejects.toThrow('npm start');
  });
});
