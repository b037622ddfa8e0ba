import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Pace } from '#infra/backup/pace.ts';
import type { Source } from '#infra/backup/places/place.ts';
import { quietTableSource } from '#infra/backup/places/quiet-table.ts';
import { openDynamo, type RawItem, RawTable } from '#infra/backup/table-items.ts';
import { engineEndpoint } from '#tests/harness/engine/engine-endpoint.ts';
import {
  back,
  backBeside,
  Crash,
  crashAt,
  dumpTable,
  filesOf,
  PASSPHRASE,
  putBackBeside,
  startBeside,
  tableBeside,
} from './fixture.ts';

const OTHER_SECRET = '0'.repeat(64);
/** How often two readings of a table look at it. */
const READINGS = 4;
let folder: string;
let table: string;
let secret: string;
let lines: string[];
const inFolder = (name: string): string => join(folder, name);
const newTable = (): string => `test-${randomUUID()}`;
const archive = (): string => inFolder('all.tar');
const source = (): string => inFolder('source');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'team-chat-others-'));
  table = newTable();
  const service = await startBeside(source(), table);
  await service.stop();
  for (const name of ['a/one', 'b/two']) {
    await mkdir(join(source(), 'files', name, '..'), { recursive: true });
    await writeFile(join(source(), 'files', name), name);
  }
  await backBeside(source(), table, archive());
  secret = await readFile(join(source(), 'secret'), 'utf8');
  lines = await dumpTable(tableBeside(table));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const secretIn = (dataDir: string) => readFile(join(dataDir, 'secret'), 'utf8');

describe('a place with another secret of API keys', () => {
  test('is refused, keeps its secret where it is told to, and takes that of the archive with --replace', async () => {
    const [target, copy] = [inFolder('secret'), newTable()];
    await mkdir(target);
    await writeFile(join(target, 'secret'), OTHER_SECRET);
    await expect(putBackBeside(archive(), target, copy)).rejects.toThrow(
      'has another secret of API keys; --replace takes that of the archive.',
    );
    expect(await dumpTable(tableBeside(copy))).toEqual([]);
    await putBackBeside(archive(), target, copy, { withoutSecret: true, passphrase: undefined });
    expect(await secretIn(target)).toBe(OTHER_SECRET);
    const restored = await putBackBeside(archive(), target, copy, { replaces: true, keepsQueues: true });
    expect(restored).toMatchObject({ items: lines.length, files: 2 });
    expect(await secretIn(target)).toBe(secret);
    expect((await stat(join(target, 'secret'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(target, 'files', 'a', 'one'))).mode & 0o777).toBe(0o600);
  });

  test('is no other where it has the same', async () => {
    const [target, copy] = [inFolder('same secret'), newTable()];
    await mkdir(target);
    await writeFile(join(target, 'secret'), secret);
    await putBackBeside(archive(), target, copy, { keepsQueues: true });
    expect(await dumpTable(tableBeside(copy))).toEqual(lines);
  });
});

describe('a restore', () => {
  test('of another archive is refused while one has not ended, and begins anew with --replace', async () => {
    const [target, copy, second] = [inFolder('two'), newTable(), inFolder('second.tar')];
    await backBeside(source(), table, second, { passphrase: undefined });
    const ended = putBackBeside(archive(), target, copy, { onStep: crashAt(2) });
    await expect(ended).rejects.toBeInstanceOf(Crash);
    await expect(putBackBeside(second, target, copy)).rejects.toThrow(
      'has an unfinished restore of another archive; finish that one, or begin anew with --replace.',
    );
    await putBackBeside(second, target, copy, { replaces: true, keepsQueues: true });
    expect(await dumpTable(tableBeside(copy))).toEqual(lines);
    expect(await filesOf(target)).toEqual(await filesOf(source()));
  });

  test('is refused where there are files, and leaves of them those of the archive with --replace', async () => {
    const [target, copy] = [inFolder('files'), newTable()];
    for (const name of ['0', 'a/0', 'a/one', 'a/z', 'b/two', 'c/z']) {
      await mkdir(join(target, 'files', name, '..'), { recursive: true });
      await writeFile(join(target, 'files', name), 'other');
    }
    await expect(putBackBeside(archive(), target, copy)).rejects.toThrow('is not empty; --replace removes');
    await putBackBeside(archive(), target, copy, { replaces: true });
    expect(await filesOf(target)).toEqual(await filesOf(source()));
  });

  test('takes a table for empty in which there is upkeep alone', async () => {
    const [copy, other] = [newTable(), newTable()];
    const upkeep = ['ACCOUNTS_LOOKED_THROUGH', 'FRONTIER', 'FULL_MEMBERS', 'NOTIFIER', 'RETENTION'];
    const put = async (name: string, kinds: string[]) => {
      await putBackBeside(archive(), inFolder(name), name, { keepsQueues: true });
      const raw = tableBeside(name);
      for await (const { items } of raw.scan()) await raw.remove(items);
      await raw.put(kinds.map((pk) => ({ pk: { S: pk }, sk: { S: 'x' } })));
      await rm(join(inFolder(name), 'files'), { recursive: true });
    };
    await put(copy, [...upkeep, 'SEARCH_INDEX', 'TRAFFIC']);
    await putBackBeside(archive(), inFolder(copy), copy, { keepsQueues: true });
    expect(await dumpTable(tableBeside(copy))).toEqual(lines);
    await put(other, ['FRONTIER', 'USER#1']);
    await expect(putBackBeside(archive(), inFolder(other), other)).rejects.toThrow('is not empty');
  });
});

describe('a restore with --replace', () => {
  test.each([0, 1])('tells how many items it removes, where there are any: %i', async (count) => {
    const [target, copy] = [inFolder(`removed-${count}`), newTable()];
    await putBackBeside(archive(), target, copy);
    const raw = tableBeside(copy);
    for await (const { items } of raw.scan()) await raw.remove(items);
    await raw.put(Array.from({ length: count }, (_, n) => ({ pk: { S: `NOTE${n}` }, sk: { S: 'NOTE' } })));
    const removed: unknown[] = [];
    await putBackBeside(archive(), target, copy, {
      replaces: true,
      onStep: ({ doing, done }) => void (doing.startsWith('Removing') && removed.push(done)),
    });
    expect(removed).toEqual(count > 0 ? [count] : []);
    expect((await dumpTable(raw)).join()).not.toContain('NOTE0');
  });
});

describe('a backup', () => {
  test('that was begun of one place is not gone on with by another', async () => {
    const to = inFolder('begun.tar');
    await expect(backBeside(source(), table, to, { onStep: crashAt(3) })).rejects.toBeInstanceOf(Crash);
    expect((await stat(`${to}.part`)).mode & 0o777).toBe(0o600);
    const other = quietTableSource(tableBeside('another'), source(), engineEndpoint());
    await expect(backBeside(source(), table, to, { source: other })).rejects.toThrow(
      `${to}.part is an unfinished backup of table ${table} at ${engineEndpoint()}; finish that one, or delete it and ${to}.part.json.`,
    );
    expect(await backBeside(source(), table, to)).toMatchObject({ items: lines.length, files: 2 });
  });

  test('of a table that changes at each of two readings is given up, and leaves nothing', async () => {
    const raw = tableBeside(table);
    const note: RawItem = { pk: { S: 'NOTE' }, sk: { S: 'NOTE' } };
    let readings = 0;
    const pace = new Pace(
      1,
      () => 0,
      async () => raw.put([{ ...note, text: { S: `${++readings}` } }]),
    );
    const paced = new RawTable(openDynamo(engineEndpoint()), table, pace);
    const changing = quietTableSource(paced, source(), engineEndpoint());
    const to = inFolder('changing.tar');
    await expect(backBeside(source(), table, to, { source: changing })).rejects.toThrow(
      `${changing.name} was changed while it was read: stop the service, and run this again.`,
    );
    // Before and after each reading its table is looked at, where this notes a change.
    expect(readings).toBe(READINGS);
    expect((await readdir(folder)).filter((name) => name.startsWith('changing'))).toEqual([]);
    await raw.remove([note]);
  });

  test('tells what it does, how far it is, and of how much', async () => {
    const steps: string[] = [];
    await backBeside(source(), table, inFolder('told.tar'), {
      onStep: ({ doing, done, total, note }) => void steps.push([doing, done, total, note].join(' ')),
    });
    expect([steps[0], ...steps.slice(-3)]).toEqual([
      'Preparing 0  ',
      `Items ${lines.length} ${lines.length} `,
      'Files 1  a/one',
      'Files 2  b/two',
    ]);
  });

  test('without a passphrase leaves the secret out', async () => {
    const [to, target, copy] = [inFolder('bare.tar'), inFolder('bare'), newTable()];
    await backBeside(source(), table, to, { passphrase: undefined });
    await putBackBeside(to, target, copy, { passphrase: PASSPHRASE });
    await expect(secretIn(target)).rejects.toThrow('ENOENT');
  });
});

test('what DynamoDB leaves undone it is asked for again, and its units count too', async () => {
  const asked: { RequestItems: Record<string, { PutRequest: { Item: RawItem } }[]> }[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as (typeof asked)[number];
    asked.push(body);
    const left = body.RequestItems.t?.slice(0, -1) ?? [];
    const reply = {
      ConsumedCapacity: [{ CapacityUnits: 2 }, {}],
      UnprocessedItems: left.length > 0 ? { t: left } : {},
    };
    response.setHeader('content-type', 'application/x-amz-json-1.0').end(JSON.stringify(reply));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let waitedMs = 0;
  const pace = new Pace(
    1,
    () => 0,
    async (ms) => (waitedMs = ms),
  );
  const raw = new RawTable(openDynamo(endpoint), 't', pace);
  await raw.put(['1', '2', '3'].map((sk) => ({ pk: { S: 'a' }, sk: { S: sk } })));
  expect(asked.map(({ RequestItems: { t = [] } }) => t.map((one) => one.PutRequest.Item.sk?.S))).toEqual([
    ['1', '2', '3'],
    ['1', '2'],
    ['1'],
  ]);
  expect(waitedMs).toBe(6_000);
  raw.client.destroy();
  server.closeAllConnections();
  server.close();
});

test('a DynamoDB that is busy is asked ten times, with growing pauses, on a machine and on AWS', async () => {
  for (const { config } of [openDynamo(), openDynamo('http://127.0.0.1:9')]) {
    expect(await config.maxAttempts()).toBe(10);
    expect(config.retryMode).toBe('standard');
  }
});

test('a backup tells its place how far it came, also where the process ends before it reads an item', async () => {
  const to = inFolder('interrupted.tar');
  const opened: unknown[] = [];
  const interrupted: Source = {
    name: 'a place',
    async open(_id, saved, save) {
      opened.push(saved);
      await save({ run: opened.length });
      throw new Crash();
    },
  };
  for (let run = 0; run < 3; run++)
    await expect(back('', to, { source: interrupted })).rejects.toThrow(Crash);
  expect(opened).toEqual([undefined, { run: 1 }, { run: 2 }]);
});
