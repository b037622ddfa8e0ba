import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bucketTarget } from '#infra/backup/places/bucket-files.ts';
import { AFTER, AT, BEFORE, collect, FakeStage, findStage, openStage } from './fake-stage.ts';

const RANGE_BYTES = 8 * 1024 * 1024;

let aws: FakeStage;
beforeEach(async () => {
  aws = await new FakeStage().start();
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

const version = (key: string, id: string, at: string, isRemoval = false, size = 3): void =>
  aws.objects.add(key, isRemoval ? undefined : Buffer.alloc(size, `${id} ${key}`), { id, at });

test('Files come from the bucket as of the instant, on whichever page of its list', async () => {
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
  const { source } = await openStage();
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

test('A large file is read in ranges of eight mebibytes', async () => {
  const bytes = Buffer.alloc(RANGE_BYTES + 1, 7);
  bytes[RANGE_BYTES] = 8;
  aws.objects.add('large/one', bytes, { at: BEFORE });
  const { source } = await openStage();
  const [file] = await collect(source.files());
  const ranges = await collect(file?.read() ?? []);
  expect(ranges.map((range) => range.length)).toEqual([RANGE_BYTES, 1]);
  expect(Buffer.concat(ranges).equals(bytes)).toBe(true);
});

test('The newer of two versions of one instant counts, which the bucket lists first', async () => {
  version('a/once.png', '1', BEFORE);
  for (const name of ['b/on-two-pages.png', 'c/on-two-pages.png'])
    for (const size of [4, 5]) version(name, `${size}`, BEFORE, false, size);
  version('d/once.png', '1', BEFORE);
  for (const size of [4, 5]) version('e/on-one-page.png', `${size}`, BEFORE, false, size);
  const { source } = await openStage();
  const files = await collect(source.files());
  expect(files.map(({ name, size }) => [name, size])).toEqual([
    ['a/once.png', 3],
    ['b/on-two-pages.png', 5],
    ['c/on-two-pages.png', 5],
    ['d/once.png', 3],
    ['e/on-one-page.png', 5],
  ]);
});

test('A complete backup deletes its export from the bucket, and nothing else', async () => {
  version('table-exports/run-1/w.gz', 'v1', BEFORE);
  version('table-exports/run-1/w.gz', 'v2', AFTER, true);
  for (const name of ['run-1/x.gz', 'run-1/y.gz', 'run-2/z.gz'])
    version(`table-exports/${name}`, 'v3', AFTER);
  const { source } = await openStage();
  await source.forget();
  expect(aws.objects.list()).toEqual(['table-exports/run-2/z.gz v3']);
});

test('A bucket for a restore lists the files of the service only, and loses one of them', async () => {
  const { bucket } = await findStage('files');
  for (const key of ['avatars/1/a.png', 'Not a file', 'uploads/2/b.png', 'uploads/2/c.png'])
    aws.objects.add(key, Buffer.from('abc'), { id: 'v' });
  const target = bucketTarget(bucket);
  expect(await collect(target.list())).toEqual(['avatars/1/a.png', 'uploads/2/b.png', 'uploads/2/c.png']);
  await target.remove('avatars/1/a.png');
  expect(Object.keys(aws.objects.files())).toEqual(['Not a file', 'uploads/2/b.png', 'uploads/2/c.png']);
  expect(aws.objects.list()).toContain('avatars/1/a.png v');
});

test('An empty bucket has no files', async () => {
  const { bucket } = await findStage();
  expect(await collect(bucketTarget(bucket).list())).toEqual([]);
});

test('A file that is restored into a bucket is written whole, with the media type of its name', async () => {
  const { bucket } = await findStage();
  const target = bucketTarget(bucket);
  const of = async function* (...pieces: string[]) {
    for (const piece of pieces) yield Buffer.from(piece);
  };
  await target.put('uploads/2/one', 5, of('ab', 'cde'));
  await target.put('uploads/2/empty.png', 0, of());
  expect(aws.objects.files()).toEqual({
    'uploads/2/one': ['abcde', 'application/octet-stream'],
    'uploads/2/empty.png': ['', 'image/png'],
  });
});
