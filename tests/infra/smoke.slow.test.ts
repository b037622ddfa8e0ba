import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Caller } from '#infra/smoke/caller.ts';
import { insideChecks } from '#infra/smoke/inside.ts';
import { outsideChecks } from '#infra/smoke/outside.ts';
import { type Finding, smoke } from '#infra/smoke/smoke.ts';
import { buildWeb } from '#infra/web/build.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { startTestService } from '#tests/harness/service.ts';
import { runNode } from './run-node.ts';

const folder = temporaryFolder('smoke');
await buildWeb(folder);
const service = await startTestService({}, { webFolder: join(folder, 'web') });

async function look(caller: Caller): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const one of smoke(caller, { scheduleAheadSeconds: 2, jobSeconds: 20 })) findings.push(one);
  return findings;
}

test('The smoke test passes on the local service', async () => {
  const { url, owner } = service;
  const findings = await look(new Caller(url, owner));
  const broken = findings.filter(({ outcome }) => outcome !== 'ok');
  expect(broken.map(({ check, reason }) => `${check.what}: ${reason}`)).toEqual([]);
  expect(findings).toHaveLength(outsideChecks.length + insideChecks.length);
  const { body } = await owner.get('/attachments');
  expect(body.attachments).toEqual([]);
});

test('The smoke test names the rule to check if no job arrives, and passes once it does', async () => {
  const { url, owner } = service;
  const check = insideChecks.find(({ what }) => what.includes('loses it'))!;
  const look = () => check.run(new Caller(url, owner), { scheduleAheadSeconds: 2, jobSeconds: 1 });
  const deliver = holdJobs(service);
  await expect(look()).rejects.toThrow('look at the rule for remove-files on the bus');
  await deliver();
  await look();
});

test('The smoke test leaves out steps that need an account without one, and names failed steps', async () => {
  const findings = await look(new Caller(service.url, undefined));
  const outcomes = new Set(findings.slice(outsideChecks.length).map(({ outcome }) => outcome));
  expect(outcomes).toEqual(new Set(['left out']));
  const wrong = await look(new Caller('http://127.0.0.1:9', undefined));
  expect(new Set(wrong.slice(0, outsideChecks.length).map(({ outcome }) => outcome))).toEqual(
    new Set(['failed']),
  );
});

test('The command prints its help, and fails if nothing answers', async () => {
  const run = (...args: string[]) => runNode('infra/smoke/main.ts', args, {});
  const account = ['--email', 'ada@example.com', '--api-key', 'key'];
  const [help, none, silent, inside, wrong, several] = await Promise.all([
    run('--help'),
    run(),
    run('http://127.0.0.1:9'),
    run('http://127.0.0.1:9', ...account),
    run('http://127.0.0.1:9', '--schedule-ahead', 'soon'),
    run('http://127.0.0.1:9', 'http://127.0.0.1:10'),
  ]);
  expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('npm run smoke -- <url>') });
  expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('address of the deployment') });
  expect(silent.status).toBe(1);
  expect(silent.stdout).toContain(`0 ok, ${outsideChecks.length} failed, ${insideChecks.length} left out`);
  expect(inside.status).toBe(1);
  expect(inside.stdout).toContain(`0 ok, ${outsideChecks.length + insideChecks.length} failed, 0 left out`);
  // Below each line follows its subject, and below that the cause of its failure.
  expect(silent.stdout.match(/^ {19}It would prove: .+\.$/gm)).toHaveLength(
    outsideChecks.length + insideChecks.length,
  );
  expect(silent.stdout.match(/^ {19}(?!It would prove).*$/gm)).toEqual(
    outsideChecks.map(() => expect.stringContaining('fetch failed')),
  );
  // The times are aligned, with the checked things.
  const looked = [
    ...outsideChecks.map(({ what }) => `failed {6}\\d\\.\\d s {2}${what}`),
    ...insideChecks.map(({ what }) => `left out {4}0\\.0 s {2}${what}`),
  ];
  for (const line of looked) expect(silent.stdout).toMatch(new RegExp(`^${line}$`, 'm'));
  expect(several).toMatchObject({ status: 2, stdout: '' });
  expect(wrong).toMatchObject({ status: 2, stderr: '--schedule-ahead is a number of seconds.\n' });
});
