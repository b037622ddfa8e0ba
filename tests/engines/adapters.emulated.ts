import {
  CreateArchiveCommand,
  CreateEventBusCommand,
  DescribeArchiveCommand,
  EventBridgeClient,
} from '@aws-sdk/client-eventbridge';
import { CreateBucketCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateScheduleGroupCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { secretOf } from '#infra/backup/places/deployed.ts';
import { createAwsBus } from '#shared/adapters/aws-bus.ts';
import { createAwsFiles } from '#shared/adapters/aws-files.ts';
import { createAwsMail } from '#shared/adapters/aws-mail.ts';
import { createAwsScheduler } from '#shared/adapters/aws-scheduler.ts';
import { readSecretParameter } from '#shared/adapters/aws-secret.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { ACCOUNT, AT_MOTO, resetMoto } from './moto.ts';

const { AWS_ENDPOINT_URL: endpoint, AWS_REGION: region } = AT_MOTO;

beforeAll(async () => {
  for (const [name, value] of Object.entries(AT_MOTO)) vi.stubEnv(name, value);
  await resetMoto();
});
afterAll(() => {
  vi.unstubAllEnvs();
});

describe('EventBridge Scheduler', () => {
  const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${ACCOUNT}:${resource}`;
  const delivery = { userId: 4, scheduledMessageId: 7 };
  const GroupName = 'team-chat-test';
  const Name = 'scheduled-message-7';
  const inAnHour = Math.floor(Date.now() / 1000) + 3600;

  test('Stores a schedule, moves it when it is put again, and deletes it when it is removed twice', async () => {
    const client = new SchedulerClient();
    await client.send(new CreateScheduleGroupCommand({ Name: GroupName }));
    const scheduler = createAwsScheduler({
      groupName: GroupName,
      targetArn: arn('lambda', 'function:deliver'),
      roleArn: `arn:aws:iam::${ACCOUNT}:role/deliver`,
      deadLetterArn: arn('sqs', 'failed'),
      clock: systemClock,
    });
    await scheduler.put(delivery, inAnHour);
    await scheduler.put(delivery, inAnHour + 600);
    const kept = await client.send(new GetScheduleCommand({ GroupName, Name }));
    const minute = new Date((inAnHour + 600 - ((inAnHour + 600) % 60)) * 1000).toISOString().slice(0, 19);
    expect(kept).toMatchObject({
      ScheduleExpression: `at(${minute})`,
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: {
        Input: JSON.stringify(delivery),
        RetryPolicy: { MaximumEventAgeInSeconds: 3600, MaximumRetryAttempts: 10 },
        DeadLetterConfig: { Arn: arn('sqs', 'failed') },
      },
    });
    await scheduler.remove(delivery);
    await scheduler.remove(delivery);
    expect((await client.send(new ListSchedulesCommand({ GroupName }))).Schedules).toEqual([]);
  });
});

test('EventBridge accepts jobs in calls of ten and wake-ups, and each matches the pattern of its source', async () => {
  const client = new EventBridgeClient();
  const { EventBusArn } = await client.send(new CreateEventBusCommand({ Name: 'team-chat-test' }));
  const EventPattern = JSON.stringify({
    source: ['team-chat'],
    'detail-type': ['run-job', 'notify-devices'],
  });
  await client.send(
    new CreateArchiveCommand({ ArchiveName: 'all', EventSourceArn: EventBusArn, EventPattern }),
  );
  const bus = createAwsBus('team-chat-test');
  const notice = (index: number) => ({ jobId: `000000000${index}#0`, type: 'run-job' as never });
  await bus.publish(Array.from({ length: 12 }, (_, index) => notice(index)));
  await bus.wakeNotifier(5);
  const { EventCount } = await client.send(new DescribeArchiveCommand({ ArchiveName: 'all' }));
  expect(EventCount).toBe(13);
});

describe('S3', () => {
  const bucket = 'team-chat-files';
  const files = () => createAwsFiles({ bucket, region, endpoint });
  beforeAll(async () => {
    await new S3Client({ forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: bucket }));
  });

  test('Stores a file with its media type, returns it, and deletes it when it is removed twice', async () => {
    await files().put('pictures/a.png', new Uint8Array([1, 2, 3]));
    expect(await files().find('pictures/a.png')).toEqual(new Uint8Array([1, 2, 3]));
    const head = await new S3Client({ forcePathStyle: true }).send(
      new HeadObjectCommand({ Bucket: bucket, Key: 'pictures/a.png' }),
    );
    expect(head.ContentType).toBe('image/png');
    await files().remove('pictures/a.png');
    await files().remove('pictures/a.png');
    expect(await files().find('pictures/a.png')).toBeUndefined();
  });

  test('Joins the parts of a large file, which then opens at a signed address', async () => {
    async function* pieces() {
      for (let part = 0; part < 5; part++) yield new Uint8Array(4 * 1024 * 1024).fill(part);
    }
    await files().putPieces('exports/large.tar.gz', pieces());
    const address = await files().downloadUrl('exports/large.tar.gz', 300, {
      contentType: 'application/gzip',
      contentDisposition: 'attachment',
    });
    const reply = await fetch(address);
    expect(reply.headers.get('content-type')).toBe('application/gzip');
    const bytes = new Uint8Array(await reply.arrayBuffer());
    expect(bytes.length).toBe(20 * 1024 * 1024);
    expect([bytes[0], bytes.at(-1)]).toEqual([0, 4]);
  });
});

test('SSM stores a secret as a SecureString, and returns it decrypted', async () => {
  const name = '/team-chat/test/api-key-secret';
  expect(await secretOf(name).find()).toBeUndefined();
  await secretOf(name).put('the secret');
  expect(await secretOf(name).find()).toBe('the secret');
  expect(await readSecretParameter({ name, region, endpoint })).toBe('the secret');
  await expect(readSecretParameter({ name: '/none', region, endpoint })).rejects.toThrow('ParameterNotFound');
});

test('SES sends a mail from a verified address, and permanently refuses one from another', async () => {
  // The assertions below fail while there are buckets.
  await resetMoto();
  await new SESv2Client().send(new CreateEmailIdentityCommand({ EmailIdentity: 'chat@example.org' }));
  const mail = { to: 'ada@example.com', subject: 'Grüße', text: 'text', html: '<p>html</p>' };
  expect(await createAwsMail({ sender: 'Kiln <chat@example.org>' }).send(mail)).toBe('sent');
  const sent = await fetch(`${endpoint}/moto-api/data.json`).then((reply) => reply.text());
  for (const said of ['ada@example.com', 'Kiln <chat@example.org>']) expect(sent).toContain(said);
  expect(await createAwsMail({ sender: 'other@example.net' }).send(mail)).toMatchObject({
    refusedBecause: expect.stringContaining('not verified'),
  });
});
