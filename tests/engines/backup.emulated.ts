import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { UpdateContinuousBackupsCommand } from '@aws-sdk/client-dynamodb';
import { CreateFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateScheduleGroupCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DynamoItems, openDynamo } from '#infra/backup/dynamo-items.ts';
import { Pace } from '#infra/backup/pace.ts';
import { bucketTarget, filesAt } from '#infra/backup/places/bucket-files.ts';
import { secretOf } from '#infra/backup/places/deployed.ts';
import { toLine } from '#infra/backup/raw-items.ts';
import { createTable } from '#infra/local/create-table.ts';
import { type Service, startService } from '#infra/local/start.ts';
import { runNode } from '#tests/infra/run-node.ts';
import { ACCOUNT, AT_MOTO, resetMoto } from './moto.ts';

const endpoint = AT_MOTO.AWS_ENDPOINT_URL;
const environment = { ...AT_MOTO, BACKUP_PASSPHRASE: 'a passphrase of tests' };
let folder: string;
let service: Service;

const bucketOf = (stage: string) => `team-chat-${stage}-${ACCOUNT}-us-east-1`;
const filesOf = (stage: string) => ({
  client: new S3Client({ forcePathStyle: true }),
  name: bucketOf(stage),
});
const writeFile = (name: string, text: string) =>
  bucketTarget(filesOf('prod')).put(name, text.length, Readable.from([Buffer.from(text)]));
const restore = (...args: string[]) =>
  runNode('infra/backup/restore-command.ts', ['--from', join(folder, 'prod.tar'), ...args], environment);

beforeAll(async () => {
  for (const [name, value] of Object.entries(AT_MOTO)) vi.stubEnv(name, value);
  await resetMoto();
  folder = await mkdtemp(join(tmpdir(), 'team-chat-moto-'));
  for (const stage of ['prod', 'prod2']) await deploy(stage);
  await secretOf('/team-chat/prod/api-key-secret').put('0123456789abcdef'.repeat(4));
  service = await startService({
    port: 0,
    dynamodbEndpoint: endpoint,
    tableName: 'team-chat-prod',
    secret: '0123456789abcdef'.repeat(4),
    sweepIntervalMs: null,
  });
  await use();
});
afterAll(async () => {
  await service?.stop();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** The resources of a deployment, as far as a restore needs them. */
async function deploy(stage: string): Promise<void> {
  const tableName = `team-chat-${stage}`;
  await createTable({ endpoint, tableName });
  await openDynamo(endpoint).send(
    new UpdateContinuousBackupsCommand({
      TableName: tableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
  const s3 = new S3Client({ forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: bucketOf(stage) }));
  await s3.send(
    new PutBucketVersioningCommand({
      Bucket: bucketOf(stage),
      VersioningConfiguration: { Status: 'Enabled' },
    }),
  );
  await new SchedulerClient().send(new CreateScheduleGroupCommand({ Name: tableName }));
  await createFunction(stage);
}

/** The function whose environment says how schedules are made. */
async function createFunction(stage: string): Promise<void> {
  const policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
    ],
  });
  const role = `deliver-${stage}`;
  await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: 'AWS4-HMAC-SHA256 Credential=testing/20260101/us-east-1/iam/aws4_request, Signature=0',
    },
    body: new URLSearchParams({
      Action: 'CreateRole',
      Version: '2010-05-08',
      RoleName: role,
      AssumeRolePolicyDocument: policy,
    }),
  });
  // The end of a zip file without entries.
  const ZipFile = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
  await new LambdaClient().send(
    new CreateFunctionCommand({
      FunctionName: `team-chat-${stage}-create-scheduled-message`,
      Runtime: 'nodejs22.x',
      Handler: 'index.handler',
      Role: `arn:aws:iam::${ACCOUNT}:role/${role}`,
      Code: { ZipFile },
      Environment: {
        Variables: {
          SCHEDULE_GROUP: `team-chat-${stage}`,
          DELIVERY_FUNCTION_ARN: `arn:aws:lambda:us-east-1:${ACCOUNT}:function:deliver`,
          SCHEDULER_ROLE_ARN: `arn:aws:iam::${ACCOUNT}:role/${role}`,
          SCHEDULE_DEAD_LETTER_ARN: `arn:aws:sqs:us-east-1:${ACCOUNT}:failed`,
        },
      },
    }),
  );
}

/** An organization with a channel, a message that waits, and two files. */
async function use(): Promise<void> {
  const { email, apiKey } = service.owner;
  const authorization = `Basic ${btoa(`${email}:${apiKey}`)}`;
  const post = async (path: string, params: Record<string, string>) => {
    const reply = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams(params),
    });
    expect(reply.status, await reply.text()).toBe(200);
  };
  await post('/users/me/subscriptions', { subscriptions: '[{"name":"room"}]' });
  await post('/scheduled_messages', {
    type: 'channel',
    to: '1',
    topic: 'topic',
    content: 'later',
    scheduled_delivery_timestamp: String(Math.floor(Date.now() / 1000) + 3600),
  });
  await service.services.bus.drain();
  for (const name of ['pictures/a.png', 'uploads/one']) await writeFile(name, name);
}

async function dump(stage: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const { items } of new DynamoItems(
    openDynamo(endpoint),
    `team-chat-${stage}`,
    new Pace(),
  ).scan())
    lines.push(...items.map(toLine));
  return lines.sort();
}

async function filesNow(
  stage: string,
  instant = new Date(Date.now() + 60_000),
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name, read } of filesAt(filesOf(stage), instant)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of read()) chunks.push(chunk);
    files[name] = Buffer.concat(chunks).toString();
  }
  return files;
}

test('A deployed stage is exported and restored into another stage byte for byte, with its schedules', async () => {
  const backup = await runNode(
    'infra/backup/backup-command.ts',
    ['--to', join(folder, 'prod.tar'), '--stage', 'prod'],
    environment,
  );
  expect(backup.stderr + backup.stdout).toContain('items and 2 files as of');
  const restored = await restore('--stage', 'prod2', '--keep-queues');
  expect(restored.stdout, restored.stderr).toContain('1 schedules are made.');
  expect(await dump('prod2')).toEqual(await dump('prod'));
  expect(await filesNow('prod2')).toEqual({
    'pictures/a.png': 'pictures/a.png',
    'uploads/one': 'uploads/one',
  });
  expect(await secretOf('/team-chat/prod2/api-key-secret').find()).toBe('0123456789abcdef'.repeat(4));
  const { Schedules } = await new SchedulerClient().send(
    new ListSchedulesCommand({ GroupName: 'team-chat-prod2' }),
  );
  expect(Schedules?.map(({ Name }) => Name)).toEqual(['scheduled-message-1']);
  // The export is removed from the bucket, earlier versions too.
  expect(Object.keys(await filesNow('prod'))).toEqual(['pictures/a.png', 'uploads/one']);
});

test('A stage that is in use is refused, and --replace restores it in place', async () => {
  const table = new DynamoItems(openDynamo(endpoint), 'team-chat-prod', new Pace());
  const before = await dump('prod');
  await table.put([{ pk: { S: 'MISTAKE' }, sk: { S: 'MISTAKE' } }]);
  await writeFile('uploads/mistake', 'x');
  const refused = await restore('--stage', 'prod', '--keep-queues');
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('stage prod is not empty')]);
  const replaced = await restore('--stage', 'prod', '--replace', '--keep-queues', '--settle-seconds', '1');
  expect(replaced.status, replaced.stderr).toBe(0);
  expect(await dump('prod')).toEqual(before);
  expect(Object.keys(await filesNow('prod'))).toEqual(['pictures/a.png', 'uploads/one']);
});

test('The files of an earlier instant come from the bucket’s versions of that time', async () => {
  await writeFile('uploads/replaced', 'before');
  await writeFile('uploads/removed', 'before');
  await pause(1_100);
  const instant = new Date();
  await pause(1_100);
  await writeFile('uploads/replaced', 'after');
  await bucketTarget(filesOf('prod')).remove('uploads/removed');
  await writeFile('uploads/new', 'after');
  expect(await filesNow('prod', instant)).toMatchObject({
    'uploads/replaced': 'before',
    'uploads/removed': 'before',
  });
  expect(Object.keys(await filesNow('prod', instant))).not.toContain('uploads/new');
  expect(Object.keys(await filesNow('prod'))).not.toContain('uploads/removed');
});
