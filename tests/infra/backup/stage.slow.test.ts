import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entriesOf } from '#infra/backup/archive/reader.ts';
import { createTable } from '#infra/local/create-table.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { startTestService } from '#tests/harness/service.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';
import { ROOT } from '#tests/infra/root.ts';
import { runNode } from '#tests/infra/run-node.ts';
import { FakeRegion } from './fake-region.ts';
import type { FakeVersions } from './fake-versions.ts';
import { dumpTable, PASSPHRASE, tableBeside } from './fixture.ts';

await useWireEngine();

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const SECRET = '0123456789abcdef'.repeat(4);
const FILES = {
  'avatars/1/a.png': ['a picture', 'image/png'],
  'uploads/2/b': ['a file', 'application/octet-stream'],
};
const folder = temporaryFolder('stage');
const region = await new FakeRegion().start();

const tableOf = (stage: string): string => `team-chat-${stage}`;
const secretOf = (stage: string): string => `/team-chat/${stage}/api-key-secret`;
const archive = join(folder, 'prod.tar');
const run = (command: 'backup' | 'restore', ...args: string[]) =>
  runNode(`infra/backup/${command}-command.ts`, args, {
    ...region.environment,
    BACKUP_PASSPHRASE: PASSPHRASE,
  });

/** The stage in use: the contents of its table, its waiting message, and its files. */
const prod = `prod-${randomUUID()}`;
const bucket = region.addBucket(tableOf(prod));
region.parameters.set(secretOf(prod), SECRET);
for (const [name, [text = '', type]] of Object.entries(FILES)) bucket.add(name, Buffer.from(text), { type });
const service = await startTestService({}, { tableName: tableOf(prod), dynamodbEndpoint: engineEndpoint() });
const { owner } = service;
await owner.subscribe('room');
await owner.register();
const later = { type: 'direct', to: [owner.userId], content: 'later' };
const scheduled = { ...later, scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 24 * 3600 };
const scheduledId: number = (await owner.post('/scheduled_messages', scheduled)).body.scheduled_message_id;
await service.stop();
const lines = await dumpTable(tableBeside(tableOf(prod)));

/** A stage of which all is deployed, and that was never used. */
async function deploy(stage: string): Promise<FakeVersions> {
  await createTable({ endpoint: engineEndpoint(), tableName: tableOf(stage) });
  region.environments.set(`${tableOf(stage)}-create-scheduled-message`, {
    SCHEDULE_GROUP: tableOf(stage),
    DELIVERY_FUNCTION_ARN: 'arn:aws:lambda:us-east-1:123456789012:function:deliver',
    SCHEDULER_ROLE_ARN: 'arn:aws:iam::123456789012:role/scheduler',
    SCHEDULE_DEAD_LETTER_ARN: 'arn:aws:sqs:us-east-1:123456789012:dead-letters',
  });
  return region.addBucket(tableOf(stage));
}

test('One command copies a deployed stage, and another restores it with its files, secret and schedules', async () => {
  const backup = await run('backup', '--to', archive, '--stage', prod);
  expect(backup.stdout, backup.stderr).toMatch(
    new RegExp(`^${archive} holds ${lines.length} items and 2 files as of \\S+Z\\.\n$`),
  );
  expect(backup.stderr).toMatch(/^Preparing: 0\n(.*\n)*Files: 1, avatars\/1\/a\.png\n$/);
  expect(Object.keys(bucket.files())).toEqual(Object.keys(FILES));

  const next = `next-${randomUUID()}`;
  const files = await deploy(next);
  const restored = await run('restore', '--from', archive, '--stage', next);
  const expected = lines.filter((line) => !/^\{"Item":.*"pk":\{"S":"(QUEUE|POLLS)#/.test(line));
  expect(expected.length).toBeLessThan(lines.length);
  expect(restored.stdout, restored.stderr).toMatch(
    new RegExp(
      `^stage ${next} holds ${expected.length} items and 2 files as of \\S+Z\\.\n1 schedules are made\\.\n$`,
    ),
  );
  expect(restored.stderr).toMatch(/^Checking the archive: .*\nItems: .*\n(.*\n)*Schedules: 100 % 1\n$/);
  expect(await dumpTable(tableBeside(tableOf(next)))).toEqual(expected);
  expect(files.files()).toEqual(FILES);
  expect(region.parameters.get(secretOf(next))).toBe(SECRET);
  expect(region.schedules).toEqual([`${tableOf(next)} scheduled-message-${scheduledId}`]);
});

test('A stage in use, with custom table and bucket, is restored in place only with --replace', async () => {
  const stage = `used-${randomUUID()}`;
  const table = `test-${randomUUID()}`;
  await createTable({ endpoint: engineEndpoint(), tableName: table });
  await tableBeside(table).put([{ pk: { S: 'MISTAKE' }, sk: { S: 'MISTAKE' } }]);
  const files = region.addBucket(table, 'used-files');
  files.add('uploads/mistake', Buffer.from('a mistake'));
  region.parameters.set(secretOf(stage), 'another');
  const place = ['--stage', stage, '--table', table, '--bucket', 'used-files'];
  const refused = await run('restore', '--from', archive, ...place, '--without-secret');
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain(`\nstage ${stage} is not empty; --replace removes all that it holds.\n`);
  expect(Object.keys(files.files())).toEqual(['uploads/mistake']);

  const replaces = ['--replace', '--keep-queues', '--settle-seconds', '1', '--without-secret'];
  const replaced = await run('restore', '--from', archive, ...place, ...replaces);
  expect(replaced.stderr).toContain(
    '\nWaiting 1 s until functions notice that the organization is closed: 0\n',
  );
  expect(replaced.stdout).toMatch(
    new RegExp(
      `^stage ${stage} holds ${lines.length} items and 2 files as of .*\nThe functions of the stage ${stage} are not deployed yet\\.`,
    ),
  );
  expect(await dumpTable(tableBeside(table))).toEqual(lines);
  expect(files.files()).toEqual(FILES);
  expect(region.parameters.get(secretOf(stage))).toBe('another');

  const at = new Date(Date.now() + 3_600_000 - (Date.now() % 1000)).toISOString();
  const to = join(folder, 'used.tar');
  const again = await run('backup', '--to', to, ...place, '--at', at, '--without-secret');
  expect(again.stdout, again.stderr).toBe(`${to} holds ${lines.length} items and 2 files as of ${at}.\n`);
  expect(region.exports.at(-1)).toMatchObject({ S3Bucket: 'used-files', ExportTime: Date.parse(at) / 1000 });
  for await (const { body } of entriesOf(to)) {
    const opening = JSON.parse(await new Response(body).text());
    expect(opening).toMatchObject({ source: `table ${table} at ${at}`, secret: null, madeBy: version });
    break;
  }
});
