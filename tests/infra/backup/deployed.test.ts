import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { BackupFailure } from '#infra/backup/archive/format.ts';
import { Pace } from '#infra/backup/pace.ts';
import { bucketTarget } from '#infra/backup/places/bucket-files.ts';
import { deployedSource, findDeployed, secretOf } from '#infra/backup/places/deployed.ts';
import { RawTable } from '#infra/backup/table-items.ts';

const ARN = 'arn:aws:dynamodb:eu-west-1:123456789012:table/chat';
const EXPORT_ARN = `${ARN}/export/1`;
const AT = new Date('2026-05-04T10:00:00.000Z');

/** What the stand-in for AWS was asked, answers next, and keeps in its bucket. */
let asked: { operation: string; body: Record<string, unknown> }[];
let exportStates: Record<string, unknown>[];
let objects: Map<string, Buffer>;
let versions: string[];
let parameters: Map<string, string>;
let removed: string[];
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://aws');
    const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
    const sent = await text(request);
    const { status = 200, body } = target
      ? callOf(target, JSON.parse(sent))
      : bucketOf(request.method ?? '', url, request.headers.range);
    response.writeHead(status, { 'content-type': target ? 'application/x-amz-json-1.0' : 'application/xml' });
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'example');
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
beforeEach(() => {
  asked = [];
  exportStates = [{ ExportStatus: 'COMPLETED', ItemCount: 2, ExportTime: AT.getTime() / 1000 }];
  objects = new Map();
  versions = [];
  parameters = new Map();
  removed = [];
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
  if (operation === 'ExportTableToPointInTime') return json({ ExportDescription: { ExportArn: EXPORT_ARN } });
  if (operation === 'DescribeExport')
    return json({ ExportDescription: exportStates.length > 1 ? exportStates.shift() : exportStates[0] });
  if (operation === 'PutParameter') parameters.set(name, String(body.Value));
  if (operation === 'PutParameter') return json({ Version: 1 });
  const Value = parameters.get(name);
  return Value === undefined ? json({ __type: 'ParameterNotFound' }, 400) : json({ Parameter: { Value } });
}

function bucketOf(
  method: string,
  { pathname, searchParams }: URL,
  range = '',
): { status?: number; body: string | Buffer } {
  const key = pathname.replace(/^\/[^/]+\/?/, '');
  const prefix = searchParams.get('prefix') ?? '';
  const within = <Entry>(found: Entry[], xml: (one: Entry) => string) => found.map(xml).join('');
  if (method === 'DELETE') {
    removed.push(`${key} ${searchParams.get('versionId')}`);
    return { status: 204, body: '' };
  }
  if (searchParams.has('versions')) {
    const after = searchParams.get('key-marker') ?? '';
    const listed = versions.filter((xml) => (/<Key>(.*?)<\/Key>/.exec(xml)?.[1] ?? '') > after);
    return { body: `<ListVersionsResult>${listed.join('')}</ListVersionsResult>` };
  }
  if (searchParams.has('list-type')) {
    const found = [...objects].filter(([name]) => name.startsWith(prefix));
    const xml = within(
      found,
      ([name, bytes]) => `<Contents><Key>${name}</Key><Size>${bytes.length}</Size></Contents>`,
    );
    return { body: `<ListBucketResult>${xml}</ListBucketResult>` };
  }
  const [, from, to] = /bytes=(\d+)-(\d+)/.exec(range) ?? [];
  if (!(Number(from) < (objects.get(key)?.length ?? 0)))
    return { status: 416, body: '<Error><Code>InvalidRange</Code></Error>' };
  return { status: 206, body: (objects.get(key) ?? Buffer.alloc(0)).subarray(Number(from), Number(to) + 1) };
}

const version = (key: string, id: string, at: string, isRemoval = false, size = 3): string => {
  const tag = isRemoval ? 'DeleteMarker' : 'Version';
  return `<${tag}><Key>${key}</Key><VersionId>${id}</VersionId><LastModified>${at}</LastModified><Size>${size}</Size></${tag}>`;
};
const BEFORE = '2026-05-04T09:00:00.000Z';
const AFTER = '2026-05-04T11:00:00.000Z';

const find = (bucket?: string) =>
  findDeployed(new RawTable(new DynamoDBClient({}), 'chat', new Pace()), {
    secretParameter: '/chat/secret',
    bucket,
  });
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
  objects.set(`table-exports/run-1/AWSDynamoDB/1/data/${name}.gz`, gzipSync(lines.join('\n')));
const operations = () => asked.map(({ operation }) => operation);

test('a stage is found by its table, and has the bucket of its account and region unless one is named', async () => {
  const { bucket, secretParameter } = await find();
  expect([bucket.name, secretParameter]).toEqual(['chat-123456789012-eu-west-1', '/chat/secret']);
  expect(await bucket.client.config.region()).toBe('eu-west-1');
  expect((await find('another')).bucket.name).toBe('another');
});

test('an export of the table as of the instant is begun, waited for, and read line by line', async () => {
  exportStates.unshift({ ExportStatus: 'IN_PROGRESS' });
  putPart('b', ['{"n":2}']);
  putPart('a', ['{"n":1}', '']);
  objects.set('table-exports/run-1/AWSDynamoDB/1/manifest-summary.json', Buffer.from('{}'));
  const { source, places } = await open(undefined, AT);
  expect(asked.find(({ operation }) => operation.startsWith('Export'))?.body).toMatchObject({
    ...{ TableArn: ARN, S3Bucket: 'chat-123456789012-eu-west-1', S3Prefix: 'table-exports/run-1' },
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
  exportStates = [{ ExportStatus: 'COMPLETED', ItemCount: 2_002, ExportTime: AT.getTime() / 1000 }];
  putPart('a', lines);
  putPart('b', ['{"n":"last"}']);
  const { source } = await open({ exportArn: EXPORT_ARN });
  expect(operations()).not.toContain('ExportTableToPointInTime');
  const pages = await collect(source.items());
  expect(pages.map((page) => page.lines.length)).toEqual([1_000, 1_000, 1, 1]);
  const rest = await collect(source.items(pages[1]?.after));
  expect(rest.flatMap((page) => page.lines)).toEqual(['{"n":2000}\n', '{"n":"last"}\n']);
});

test('an export that fails, or that has other items than DynamoDB counted, is no backup', async () => {
  putPart('a', ['{"n":1}']);
  const { source } = await open();
  const reading = collect(source.items());
  await expect(reading).rejects.toThrow('The export has 1 items, and DynamoDB counted 2.');
  await expect(reading).rejects.toBeInstanceOf(BackupFailure);
  exportStates = [{ ExportStatus: 'FAILED', FailureMessage: 'No such bucket' }];
  await expect(open()).rejects.toThrow('DynamoDB could not export the table: No such bucket.');
});

test('files are those that the bucket had at the instant', async () => {
  versions = [
    version('a/changed.png', '2', AFTER),
    version('a/changed.png', '1', BEFORE),
    version('b/later.png', '1', AFTER),
    version('b/then.png', '1', AT.toISOString(), false, 0),
    version('c/removed.png', '2', BEFORE, true),
    version('c/removed.png', '1', '2026-05-04T08:00:00.000Z'),
    version('d/removed-later.png', '2', AFTER, true),
    version('d/removed-later.png', '1', BEFORE),
    version('Not a file', '1', BEFORE),
    version('z/gone.png', '2', BEFORE, true),
  ];
  const { source } = await open();
  const files = await collect(source.files());
  expect(files.map(({ name, size }) => [name, size])).toEqual([
    ['a/changed.png', 3],
    ['b/then.png', 0],
    ['d/removed-later.png', 3],
  ]);
  objects.set('a/changed.png', Buffer.from('abc'));
  objects.set('b/then.png', Buffer.from(''));
  const [first, empty] = files;
  expect(Buffer.concat(await collect(first?.read() ?? [])).toString()).toBe('abc');
  expect(await collect(empty?.read() ?? [])).toEqual([]);
  const rest = await collect(source.files('a/changed.png'));
  expect(rest.map(({ name }) => name)).toEqual(['b/then.png', 'd/removed-later.png']);
});

test('of two versions of one instant the newer one is kept, which the bucket lists first', async () => {
  versions = [
    version('a/once.png', '1', BEFORE),
    version('b/twice.png', '2', BEFORE, false, 5),
    version('b/twice.png', '1', BEFORE, false, 4),
  ];
  const { source } = await open();
  const files = await collect(source.files());
  expect(files.map(({ name, size }) => [name, size])).toEqual([
    ['a/once.png', 3],
    ['b/twice.png', 5],
  ]);
});

test('a complete backup leaves nothing of its export in the bucket, and everything else', async () => {
  versions = [
    version('table-exports/run-1/x.gz', 'v1', AFTER),
    version('table-exports/run-1/y.gz', 'v2', AFTER),
    version('table-exports/run-2/z.gz', 'v3', AFTER),
  ];
  const { source } = await open();
  await source.forget();
  expect(removed).toEqual(['table-exports/run-1/x.gz v1', 'table-exports/run-1/y.gz v2']);
});

test('the secret of a stage is read and replaced, and undefined where there is none', async () => {
  expect(await secretOf('/chat/secret').find()).toBeUndefined();
  await secretOf('/chat/secret').put('sealed');
  expect(asked.at(-1)?.body).toEqual({
    ...{ Name: '/chat/secret', Type: 'SecureString', Value: 'sealed', Overwrite: true },
  });
  const { source } = await open();
  expect(await source.secret()).toBe('sealed');
  expect(asked.at(-1)?.body).toMatchObject({ WithDecryption: true });
});

test('a bucket that is restored into lists the files of the service alone, and loses one of them', async () => {
  const { bucket } = await find('files');
  for (const key of ['avatars/1/a.png', 'Not a file', 'uploads/2/b.png'])
    objects.set(key, Buffer.from('abc'));
  const target = bucketTarget(bucket);
  expect(await collect(target.list())).toEqual(['avatars/1/a.png', 'uploads/2/b.png']);
  await target.remove('avatars/1/a.png');
  expect(removed).toEqual(['avatars/1/a.png null']);
});

async function collect<One>(all: AsyncIterable<One> | Iterable<One>): Promise<One[]> {
  const found: One[] = [];
  for await (const one of all) found.push(one);
  return found;
}
