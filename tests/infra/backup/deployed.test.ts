import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { BackupFailure } from '#infra/backup/archive/format.ts';
import { Pace } from '#infra/backup/pace.ts';
import { bucketTarget } from '#infra/backup/places/bucket-files.ts';
import { deployedSource, deployedTarget, findDeployed, secretOf } from '#infra/backup/places/deployed.ts';
import type { Step } from '#infra/backup/progress.ts';
import { FakeVersions } from './fake-versions.ts';

const ARN = 'arn:aws:dynamodb:eu-west-1:123456789012:table/team-chat-prod';
const EXPORT_ARN = `${ARN}/export/1`;
const AT = new Date('2026-05-04T10:00:00.000Z');

/** What the stand-in for AWS was asked, answers next, and keeps in its bucket. */
let asked: { operation: string; body: Record<string, unknown> }[];
let exportStates: Record<string, unknown>[];
let exportBegun: Record<string, unknown>;
let objects: FakeVersions;
let parameters: Map<string, string>;
/** What SSM answers instead. */
let refusal: { status: number; body: string } | undefined;
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://aws');
    const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
    const body = await buffer(request);
    if (!target) {
      const { method = '', headers } = request;
      const reply = objects.answer({ method, url, body, headers });
      response.writeHead(reply.status, reply.headers).end(reply.body);
      return;
    }
    const reply = callOf(target, JSON.parse(body.toString()));
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/x-amz-json-1.0' }).end(reply.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'example');
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
beforeEach(() => {
  asked = [];
  exportStates = [{ ExportStatus: 'COMPLETED', ItemCount: 2, ExportTime: AT.getTime() / 1000 }];
  exportBegun = { ExportDescription: { ExportArn: EXPORT_ARN } };
  objects = new FakeVersions();
  parameters = new Map();
  refusal = undefined;
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

function callOf(operation: string, body: Record<string, unknown>): { status?: number; body: string } {
  asked.push({ operation, body });
  const json = (reply: object, status = 200) => ({ status, body: JSON.stringify(reply) });
  const name = String(body.Name);
  if (operation === 'DescribeTable') return json({ Table: { TableArn: ARN, ItemCount: 5 } });
  if (operation === 'ExportTableToPointInTime') return json(exportBegun);
  if (operation === 'DescribeExport')
    return json({ ExportDescription: exportStates.length > 1 ? exportStates.shift() : exportStates[0] });
  if (refusal) return refusal;
  if (operation === 'PutParameter') parameters.set(name, String(body.Value));
  if (operation === 'PutParameter') return json({ Version: 1 });
  const Value = parameters.get(name);
  return Value === undefined ? json({ __type: 'ParameterNotFound' }, 400) : json({ Parameter: { Value } });
}

const version = (key: string, id: string, at: string, isRemoval = false, size = 3): void =>
  objects.add(key, isRemoval ? undefined : Buffer.alloc(size, `${id} ${key}`), { id, at });
const BEFORE = '2026-05-04T09:00:00.000Z';
const AFTER = '2026-05-04T11:00:00.000Z';

const find = (bucket?: string, table?: string) => findDeployed('prod', { table, bucket }, new Pace());
const open = async (saved?: Record<string, unknown>, at?: Date) => {
  const places: object[] = [];
  const source = await deployedSource(await find(), at).open(
    'run-1',
    saved,
    async (place) => void places.push(place),
  );
  return { source, places };
};
const putPart = (name: string, lines: string[]) =>
  objects.add(`table-exports/run-1/AWSDynamoDB/1/data/${name}.gz`, gzipSync(lines.join('\n')));
const operations = () => asked.map(({ operation }) => operation);

test('a stage is found by its table, and has the bucket of its account and region unless another is named', async () => {
  const { table, bucket, secretParameter } = await find();
  expect([table.name, bucket.name, secretParameter]).toEqual([
    'team-chat-prod',
    'team-chat-prod-123456789012-eu-west-1',
    '/team-chat/prod/api-key-secret',
  ]);
  expect(await bucket.client.config.region()).toBe('eu-west-1');
  expect(bucket.client.config.forcePathStyle).toBe(true);
  const named = await find('another', 'chat');
  expect([named.table.name, named.bucket.name]).toEqual(['chat', 'another']);
  expect(asked.map(({ body }) => body.TableName)).toEqual(['team-chat-prod', 'chat']);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', process.env.AWS_ENDPOINT_URL);
  vi.stubEnv('AWS_ENDPOINT_URL', '');
  const onAws = await find();
  expect(onAws.bucket.client.config.forcePathStyle).toBe(false);
  vi.stubEnv('AWS_ENDPOINT_URL', process.env.AWS_ENDPOINT_URL_DYNAMODB);
});

test('an export of the table as of the instant is begun, waited for, and read line by line', async () => {
  exportStates.unshift({ ExportStatus: 'IN_PROGRESS' });
  putPart('b', ['{"n":2}']);
  putPart('a', ['{"n":1}', '']);
  objects.add('table-exports/run-1/AWSDynamoDB/1/manifest-summary.json', Buffer.from('{}'));
  const { source, places } = await open(undefined, AT);
  expect(asked.find(({ operation }) => operation.startsWith('Export'))?.body).toMatchObject({
    ...{ TableArn: ARN, S3Bucket: 'team-chat-prod-123456789012-eu-west-1', S3Prefix: 'table-exports/run-1' },
    ...{ ExportFormat: 'DYNAMODB_JSON', ClientToken: 'run-1', ExportTime: AT.getTime() / 1000 },
  });
  expect(operations().filter((one) => one === 'DescribeExport')).toHaveLength(2);
  expect(places).toEqual([{ exportArn: EXPORT_ARN }]);
  expect([source.asOf, source.itemsAbout]).toEqual([AT.toISOString(), 2]);
  const pages = await collect(source.items());
  expect(pages.flatMap(({ lines }) => lines).sort()).toEqual(['{"n":1}\n', '{"n":2}\n']);
  await source.close();
});

test('an interrupted reading goes on with the same export, after the last line that was read', async () => {
  const lines = Array.from({ length: 2_001 }, (_, n) => `{"n":${n}}`);
  exportStates = [{ ExportStatus: 'COMPLETED', ItemCount: 2_003, ExportTime: AT.getTime() / 1000 }];
  putPart('a', lines);
  for (const name of ['b', 'c']) putPart(name, [`{"n":"${name}"}`]);
  const { source } = await open({ exportArn: EXPORT_ARN });
  expect(operations()).not.toContain('ExportTableToPointInTime');
  const pages = await collect(source.items());
  expect(pages.map((page) => page.lines.length)).toEqual([1_000, 1_000, 1, 1, 1]);
  const rest = await collect(source.items(pages[1]?.after));
  expect(rest.flatMap((page) => page.lines)).toEqual(['{"n":2000}\n', '{"n":"b"}\n', '{"n":"c"}\n']);
});

test('an export that fails, or that has other items than DynamoDB counted, is no backup', async () => {
  putPart('a', ['{"n":1}']);
  const { source } = await open();
  const reading = collect(source.items());
  await expect(reading).rejects.toThrow('The export has 1 items, and DynamoDB counted 2.');
  await expect(reading).rejects.toBeInstanceOf(BackupFailure);
  exportStates = [{ ExportStatus: 'FAILED', FailureMessage: 'No such bucket' }];
  await expect(open()).rejects.toThrow('DynamoDB could not export the table: No such bucket.');
  exportBegun = {};
  await expect(open()).rejects.toThrow('DynamoDB named no export');
});

test('an export of which DynamoDB tells neither time nor count is of the instant that was asked for, and of all that it has', async () => {
  exportStates = [{ ExportStatus: 'COMPLETED' }];
  putPart('a', ['{"n":1}']);
  const { source } = await open(undefined, AT);
  expect([source.asOf, source.itemsAbout]).toEqual([AT.toISOString(), 5]);
  expect((await collect(source.items())).flatMap(({ lines }) => lines)).toEqual(['{"n":1}\n']);
});

test('files are those that the bucket had at the instant, wherever a page of its list ends', async () => {
  version('a/changed.png', '1', BEFORE);
  version('a/changed.png', '2', AFTER, false, 4);
  version('b/later.png', '1', AFTER);
  version('b/then.png', '1', AT.toISOString(), false, 0);
  version('c/removed.png', '1', '2026-05-04T08:00:00.000Z');
  version('c/removed.png', '2', BEFORE, true);
  version('d/removed-later.png', '1', BEFORE);
  version('d/removed-later.png', '2', AFTER, true);
  version('e/once.png', '1', BEFORE);
  // On the page of the removal, which the bucket lists apart.
  version('f/gone.png', '1', BEFORE, true);
  version('g/replaced.png', '1', '2026-05-04T08:00:00.000Z');
  version('g/replaced.png', '2', BEFORE, false, 5);
  version('Not a file', '1', BEFORE);
  version('z/gone.png', '2', BEFORE, true);
  const { source } = await open();
  const files = await collect(source.files());
  expect(files.map(({ name, size }) => [name, size])).toEqual([
    ['a/changed.png', 3],
    ['b/then.png', 0],
    ['d/removed-later.png', 3],
    ['e/once.png', 3],
    ['g/replaced.png', 5],
  ]);
  const [first, empty] = files;
  expect(Buffer.concat(await collect(first?.read() ?? [])).toString()).toBe('1 a');
  expect(await collect(empty?.read() ?? [])).toEqual([]);
  const rest = await collect(source.files('a/changed.png'));
  expect(rest.map(({ name }) => name)).toEqual(files.slice(1).map(({ name }) => name));
});

test('of two versions of one instant the newer one is kept, which the bucket lists first, on one page or on two', async () => {
  version('a/once.png', '1', BEFORE);
  for (const name of ['b/on-two-pages.png', 'c/on-two-pages.png'])
    for (const size of [4, 5]) version(name, `${size}`, BEFORE, false, size);
  version('d/once.png', '1', BEFORE);
  for (const size of [4, 5]) version('e/on-one-page.png', `${size}`, BEFORE, false, size);
  const { source } = await open();
  const files = await collect(source.files());
  expect(files.map(({ name, size }) => [name, size])).toEqual([
    ['a/once.png', 3],
    ['b/on-two-pages.png', 5],
    ['c/on-two-pages.png', 5],
    ['d/once.png', 3],
    ['e/on-one-page.png', 5],
  ]);
});

test('a complete backup leaves nothing of its export in the bucket, and everything else', async () => {
  version('table-exports/run-1/w.gz', 'v1', BEFORE);
  version('table-exports/run-1/w.gz', 'v2', AFTER, true);
  for (const name of ['run-1/x.gz', 'run-1/y.gz', 'run-2/z.gz'])
    version(`table-exports/${name}`, 'v3', AFTER);
  const { source } = await open();
  await source.forget();
  expect(objects.list()).toEqual(['table-exports/run-2/z.gz v3']);
});

test('the secret of a stage is read and replaced, and undefined where there is none', async () => {
  expect(await secretOf('/chat/secret').find()).toBeUndefined();
  const name = '/team-chat/prod/api-key-secret';
  await secretOf(name).put('sealed');
  expect(asked.at(-1)?.body).toEqual({
    ...{ Name: name, Type: 'SecureString', Value: 'sealed', Overwrite: true },
  });
  const { source } = await open();
  expect(await source.secret()).toBe('sealed');
  expect(asked.at(-1)?.body).toMatchObject({ WithDecryption: true });
});

test('a secret that may not be read is no missing one', async () => {
  refusal = { status: 400, body: JSON.stringify({ __type: 'AccessDeniedException', message: 'Not you' }) };
  await expect(secretOf('/chat/secret').find()).rejects.toThrow('Not you');
});

test('a bucket that is restored into lists the files of the service alone, and loses one of them', async () => {
  const { bucket } = await find('files');
  for (const key of ['avatars/1/a.png', 'Not a file', 'uploads/2/b.png', 'uploads/2/c.png'])
    objects.add(key, Buffer.from('abc'), { id: 'v' });
  const target = bucketTarget(bucket);
  expect(await collect(target.list())).toEqual(['avatars/1/a.png', 'uploads/2/b.png', 'uploads/2/c.png']);
  await target.remove('avatars/1/a.png');
  expect(Object.keys(objects.files())).toEqual(['Not a file', 'uploads/2/b.png', 'uploads/2/c.png']);
  expect(objects.list()).toContain('avatars/1/a.png v');
});

test('an empty bucket has no files', async () => {
  const { bucket } = await find();
  expect(await collect(bucketTarget(bucket).list())).toEqual([]);
});

test('a file that is restored into a bucket is put there whole, with the media type of its name', async () => {
  const { bucket } = await find();
  const target = bucketTarget(bucket);
  const of = async function* (...pieces: string[]) {
    for (const piece of pieces) yield Buffer.from(piece);
  };
  await target.put('uploads/2/one', 5, of('ab', 'cde'));
  await target.put('uploads/2/empty.png', 0, of());
  expect(objects.files()).toEqual({
    'uploads/2/one': ['abcde', 'application/octet-stream'],
    'uploads/2/empty.png': ['', 'image/png'],
  });
});

test('a stage into which is restored waits as long as functions may work on, and says so', async () => {
  const steps: Step[] = [];
  const slept: number[] = [];
  const options = { stage: 'prod', settleSeconds: 75 };
  const target = deployedTarget(
    await find(),
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

async function collect<One>(all: AsyncIterable<One> | Iterable<One>): Promise<One[]> {
  const found: One[] = [];
  for await (const one of all) found.push(one);
  return found;
}
