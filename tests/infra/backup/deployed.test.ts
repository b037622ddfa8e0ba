import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BackupFailure } from '#infra/backup/archive/format.ts';
import { deployedSource, deployedTarget, secretOf } from '#infra/backup/places/deployed.ts';
import type { Step } from '#infra/backup/progress.ts';
import { ARN, AT, collect, EXPORT_ARN, FakeStage, findStage, noPause, openStage } from './fake-stage.ts';

let aws: FakeStage;
beforeEach(async () => {
  aws = await new FakeStage().start();
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

const putPart = (name: string, lines: string[]) =>
  aws.objects.add(`table-exports/run-1/AWSDynamoDB/1/data/${name}.gz`, gzipSync(lines.join('\n')));

test('A stage has its table, and the bucket of its account and region unless another is given', async () => {
  const { table, bucket, secretParameter } = await findStage();
  expect([table.name, bucket.name, secretParameter]).toEqual([
    'team-chat-prod',
    'team-chat-prod-123456789012-eu-west-1',
    '/team-chat/prod/api-key-secret',
  ]);
  expect(await bucket.client.config.region()).toBe('eu-west-1');
  expect(bucket.client.config.forcePathStyle).toBe(true);
  const named = await findStage('another', 'chat');
  expect([named.table.name, named.bucket.name]).toEqual(['chat', 'another']);
  expect(aws.asked.map(({ body }) => body.TableName)).toEqual(['team-chat-prod', 'chat']);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', process.env.AWS_ENDPOINT_URL);
  vi.stubEnv('AWS_ENDPOINT_URL', '');
  const onAws = await findStage();
  expect(onAws.bucket.client.config.forcePathStyle).toBe(false);
  vi.stubEnv('AWS_ENDPOINT_URL', process.env.AWS_ENDPOINT_URL_DYNAMODB);
});

test('An export of the table as of the instant is started, awaited, and read line by line', async () => {
  aws.exportStates.unshift({ ExportStatus: 'IN_PROGRESS' });
  putPart('b', ['{"n":2}']);
  putPart('a', ['{"n":1}', '']);
  aws.objects.add('table-exports/run-1/AWSDynamoDB/1/manifest-summary.json', Buffer.from('{}'));
  const { source, places } = await openStage(undefined, AT);
  expect(aws.asked.find(({ operation }) => operation.startsWith('Export'))?.body).toMatchObject({
    ...{ TableArn: ARN, S3Bucket: 'team-chat-prod-123456789012-eu-west-1', S3Prefix: 'table-exports/run-1' },
    ...{ ExportFormat: 'DYNAMODB_JSON', ClientToken: 'run-1', ExportTime: AT.getTime() / 1000 },
  });
  expect(aws.operations().filter((one) => one === 'DescribeExport')).toHaveLength(2);
  expect(places).toEqual([{ exportArn: EXPORT_ARN }]);
  expect([source.asOf, source.itemsAbout]).toEqual([AT.toISOString(), 2]);
  const pages = await collect(source.items());
  expect(pages.flatMap(({ lines }) => lines).sort()).toEqual(['{"n":1}\n', '{"n":2}\n']);
  await source.close();
});

test('An interrupted reading continues with the same export, after the last line', async () => {
  const lines = Array.from({ length: 2_001 }, (_, n) => `{"n":${n}}`);
  aws.exportStates = [{ ExportStatus: 'COMPLETED', ItemCount: 2_003, ExportTime: AT.getTime() / 1000 }];
  putPart('a', lines);
  for (const name of ['b', 'c']) putPart(name, [`{"n":"${name}"}`]);
  const { source } = await openStage({ exportArn: EXPORT_ARN });
  expect(aws.operations()).not.toContain('ExportTableToPointInTime');
  const pages = await collect(source.items());
  expect(pages.map((page) => page.lines.length)).toEqual([1_000, 1_000, 1, 1, 1]);
  const rest = await collect(source.items(pages[1]?.after));
  expect(rest.flatMap((page) => page.lines)).toEqual(['{"n":2000}\n', '{"n":"b"}\n', '{"n":"c"}\n']);
  const last = await collect(source.items(pages[3]?.after));
  expect(last.flatMap((page) => page.lines)).toEqual(['{"n":"c"}\n']);
});

test('An export is polled with growing pauses, up to a quarter of a minute', async () => {
  aws.exportStates.unshift(...Array.from({ length: 8 }, () => ({ ExportStatus: 'IN_PROGRESS' })));
  const pauses: number[] = [];
  const looks = () => aws.operations().filter((one) => one === 'DescribeExport').length;
  const source = deployedSource(await findStage(), undefined, async (ms) => {
    const before = looks();
    for (let turns = 0; turns < 50; turns++) await nextTurn();
    expect(looks(), 'no look during a pause').toBe(before);
    pauses.push(ms);
  });
  await source.open('run-1', undefined, async () => undefined);
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
});

test('An export that no later run could continue is not awaited', async () => {
  const source = deployedSource(await findStage(), undefined, noPause);
  const opening = source.open('run-1', undefined, () => Promise.reject(new Error('The disk is full')));
  await expect(opening).rejects.toThrow('The disk is full');
  expect(aws.operations()).not.toContain('DescribeExport');
});

test('A copied stage keeps no connection', async () => {
  putPart('a', ['{"n":1}', '{"n":2}']);
  const { source } = await openStage();
  await collect(source.items());
  const kept = await aws.countConnections();
  await source.close();
  // The requests to the table and the bucket.
  await expect.poll(() => aws.countConnections(), { interval: 5 }).toBeLessThanOrEqual(kept - 2);
});

test('An export that fails, or with another count than DynamoDB’s, is no backup', async () => {
  putPart('a', ['{"n":1}']);
  const { source } = await openStage();
  const reading = collect(source.items());
  await expect(reading).rejects.toThrow('The export has 1 items, and DynamoDB counted 2.');
  await expect(reading).rejects.toBeInstanceOf(BackupFailure);
  aws.exportStates = [{ ExportStatus: 'FAILED', FailureMessage: 'No such bucket' }];
  await expect(openStage()).rejects.toThrow('DynamoDB could not export the table: No such bucket.');
  aws.exportStates = [{ ExportStatus: 'FAILED' }];
  await expect(openStage()).rejects.toThrow('DynamoDB could not export the table: it says not why.');
  aws.exportBegun = {};
  await expect(openStage()).rejects.toThrow('DynamoDB named no export');
});

test('An export without time or count in DynamoDB has the requested instant and all its items', async () => {
  aws.exportStates = [{ ExportStatus: 'COMPLETED' }];
  putPart('a', ['{"n":1}']);
  const { source } = await openStage(undefined, AT);
  expect([source.asOf, source.itemsAbout]).toEqual([AT.toISOString(), 5]);
  expect((await collect(source.items())).flatMap(({ lines }) => lines)).toEqual(['{"n":1}\n']);
  aws.itemCount = undefined;
  expect((await openStage(undefined, AT)).source.itemsAbout).toBe(0);
});

test('The secret of a stage is read and replaced, and undefined if it is missing', async () => {
  expect(await secretOf('/chat/secret').find()).toBeUndefined();
  const name = '/team-chat/prod/api-key-secret';
  await secretOf(name).put('sealed');
  expect(aws.asked.at(-1)?.body).toEqual({
    ...{ Name: name, Type: 'SecureString', Value: 'sealed', Overwrite: true },
  });
  const { source } = await openStage();
  expect(await source.secret()).toBe('sealed');
  expect(aws.asked.at(-1)?.body).toMatchObject({ WithDecryption: true });
});

test('A secret that may not be read differs from a missing one', async () => {
  aws.refusal = {
    status: 400,
    body: JSON.stringify({ __type: 'AccessDeniedException', message: 'Not you' }),
  };
  await expect(secretOf('/chat/secret').find()).rejects.toThrow('Not you');
});

test('A restore into a stage waits as long as functions may run, and reports it', async () => {
  const steps: Step[] = [];
  const slept: number[] = [];
  const options = { stage: 'prod', settleSeconds: 75 };
  const target = deployedTarget(
    await findStage(),
    options,
    (step) => void steps.push(step),
    async (ms) => {
      await new Promise(setImmediate);
      slept.push(ms);
    },
  );
  expect(target.name).toBe('stage prod');
  await target.settle();
  expect(steps).toEqual([
    { doing: 'Waiting 75 s until functions notice that the organization is closed', done: 0 },
  ]);
  expect(slept).toEqual([75_000]);
});
