import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { itemsName } from '#infra/backup/archive/format.ts';
import { entriesOf, passOver } from '#infra/backup/archive/reader.ts';
import { ArchiveWriter } from '#infra/backup/archive/writer.ts';
import { DynamoItems, openDynamo } from '#infra/backup/dynamo-items.ts';
import { Pace } from '#infra/backup/pace.ts';
import { openLocalTarget } from '#infra/backup/places/local-target.ts';
import { quietTableSource } from '#infra/backup/places/quiet-table.ts';
import { type RawItem, toLine } from '#infra/backup/raw-items.ts';
import { restore } from '#infra/backup/restore.ts';
import { findProgress } from '#infra/backup/restore-mark.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';
import {
  backBeside,
  Crash,
  crashAgainAndAgain,
  crashAt,
  dumpTable,
  filesOf,
  ignoreSteps,
  PASSPHRASE,
  putBackBeside,
  startBeside,
  tableBeside,
} from './fixture.ts';

await useWireEngine();

const OTHER_SECRET = '0'.repeat(64);
/** How often two readings of a table look at it. */
const READINGS = 4;
const folder = temporaryFolder('others');
const inFolder = (name: string): string => join(folder, name);
const newTable = (): string => `test-${randomUUID()}`;
const table = newTable();
const archive = inFolder('all.tar');
const source = inFolder('source');

const service = await startBeside(source, table);
await service.stop();
for (const name of ['a/one', 'b/two']) {
  await mkdir(join(source, 'files', name, '..'), { recursive: true });
  await writeFile(join(source, 'files', name), name);
}
await backBeside(source, table, archive);
const secret = await readFile(join(source, 'secret'), 'utf8');
const lines = await dumpTable(tableBeside(table));

const secretIn = (dataDir: string) => readFile(join(dataDir, 'secret'), 'utf8');

describe('A place with another secret of API keys', () => {
  test('Causes an error, keeps its secret on request, and gets that of the archive with --replace', async () => {
    const [target, copy] = [inFolder('secret'), newTable()];
    await mkdir(target);
    await writeFile(join(target, 'secret'), OTHER_SECRET);
    await expect(putBackBeside(archive, target, copy)).rejects.toThrow(
      'has another secret of API keys; --replace takes that of the archive.',
    );
    expect(await dumpTable(tableBeside(copy))).toEqual([]);
    await putBackBeside(archive, target, copy, { withoutSecret: true, passphrase: undefined });
    expect(await secretIn(target)).toBe(OTHER_SECRET);
    const restored = await putBackBeside(archive, target, copy, { replaces: true, keepsQueues: true });
    expect(restored).toMatchObject({ items: lines.length, files: 2 });
    expect(await secretIn(target)).toBe(secret);
    expect((await stat(join(target, 'secret'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(target, 'files', 'a', 'one'))).mode & 0o777).toBe(0o600);
  });

  test('Does not include one with the same secret', async () => {
    const [target, copy] = [inFolder('same secret'), newTable()];
    await mkdir(target);
    await writeFile(join(target, 'secret'), secret);
    await putBackBeside(archive, target, copy, { keepsQueues: true });
    expect(await dumpTable(tableBeside(copy))).toEqual(lines);
  });
});

describe('A restore', () => {
  test('From another archive is refused while one is unfinished, and starts over with --replace', async () => {
    const [target, copy, second] = [inFolder('two'), newTable(), inFolder('second.tar')];
    await backBeside(source, table, second, { passphrase: undefined });
    const ended = putBackBeside(archive, target, copy, { onStep: crashAt(2) });
    await expect(ended).rejects.toBeInstanceOf(Crash);
    await expect(putBackBeside(second, target, copy)).rejects.toThrow(
      'has an unfinished restore of another archive; finish that one, or start over with --replace.',
    );
    await putBackBeside(second, target, copy, { replaces: true, keepsQueues: true });
    expect(await dumpTable(tableBeside(copy))).toEqual(lines);
    expect(await filesOf(target)).toEqual(await filesOf(source));
  });

  test('Fails if files exist, and leaves only the archive’s files with --replace', async () => {
    const [target, copy] = [inFolder('files'), newTable()];
    for (const name of ['0', 'a/0', 'a/one', 'a/z', 'b/two', 'c/z']) {
      await mkdir(join(target, 'files', name, '..'), { recursive: true });
      await writeFile(join(target, 'files', name), 'other');
    }
    await expect(putBackBeside(archive, target, copy)).rejects.toThrow('is not empty; --replace removes');
    await putBackBeside(archive, target, copy, { replaces: true });
    expect(await filesOf(target)).toEqual(await filesOf(source));
  });

  test('Treats a table with only maintenance items as empty', async () => {
    const [copy, other] = [newTable(), newTable()];
    const upkeep = ['ACCOUNTS_LOOKED_THROUGH', 'FRONTIER', 'FULL_MEMBERS', 'NOTIFIER', 'RETENTION'];
    const put = async (name: string, kinds: string[]) => {
      await putBackBeside(archive, inFolder(name), name, { keepsQueues: true });
      const raw = tableBeside(name);
      for await (const { items } of raw.scan()) await raw.remove(items);
      await raw.put(kinds.map((pk) => ({ pk: { S: pk }, sk: { S: 'x' } })));
      await rm(join(inFolder(name), 'files'), { recursive: true });
    };
    await put(copy, [...upkeep, 'SEARCH_INDEX', 'TRAFFIC']);
    await putBackBeside(archive, inFolder(copy), copy, { keepsQueues: true });
    expect(await dumpTable(tableBeside(copy))).toEqual(lines);
    await put(other, ['FRONTIER', 'USER#1']);
    await expect(putBackBeside(archive, inFolder(other), other)).rejects.toThrow('is not empty');
  });
});

test('An organization that was deactivated at the backup is deactivated again after the restore', async () => {
  const [target, copy, to] = [inFolder('closed'), newTable(), inFolder('closed.tar')];
  const raw = tableBeside(table);
  const closed = { ...organizationKeys.closure(), atSeconds: 7, byUserId: 8 };
  await raw.put([marshall(closed)]);
  const closedLines = await dumpTable(raw);
  await backBeside(source, table, to);
  await raw.remove([marshall(closed)]);
  const crashes = await crashAgainAndAgain(
    (onStep) => putBackBeside(to, target, copy, { onStep, keepsQueues: true }),
    async () => expect((await findProgress(tableBeside(copy)))?.archiveId).toBeDefined(),
  );
  expect(crashes).toBeGreaterThan(0);
  expect(await dumpTable(tableBeside(copy))).toEqual(closedLines);
  expect(closedLines).not.toEqual(lines);
});

test('A restore continues after a hundred written files, and reports its progress', async () => {
  const [dataDir, tableName, path] = [inFolder('many'), newTable(), inFolder('many.tar')];
  const writer = await ArchiveWriter.open(path, new Date());
  const opening = { format: 'team-chat-backup', formatVersion: 1, id: 'many', secret: null } as const;
  await writer.begin({ ...opening, madeBy: '1', asOf: '2026-05-04T10:00:00.000Z', source: 'a test' });
  const kept = ['a', 'b'].map((sk) => toLine({ pk: { S: 'NOTE' }, sk: { S: sk } }));
  await writer.add(itemsName(1), gzipSync(kept.join('')));
  const names = Array.from({ length: 202 }, (_, n) => `f${String(n + 1).padStart(3, '0')}`);
  for (const name of names) await writer.add(`files/${name}`, Buffer.from(name));
  await writer.finish({ items: 2, files: names.length });
  await writer.close();
  const steps: string[] = [];
  const run = (last?: string) =>
    putBackBeside(path, dataDir, tableName, {
      onStep({ doing, done, note }) {
        steps.push([doing, done, note].join(' '));
        if (note !== undefined && note === last) throw new Crash();
      },
    });
  await expect(run('files/f199')).rejects.toBeInstanceOf(Crash);
  expect(steps.findLast((step) => step.startsWith('Checking'))).toBe(
    `Checking the archive ${await bytesBeforeEnding(path)} `,
  );
  expect(steps.filter((step) => !step.startsWith('Checking')).slice(0, 2)).toEqual([
    'Items 2 ',
    'Files 1 files/f001',
  ]);
  steps.length = 0;
  expect(await run()).toMatchObject({ items: 2, files: names.length });
  const again = steps.filter((step) => !step.startsWith('Checking'));
  expect([again[0], again.length]).toEqual(['Files 1 files/f101', 102]);
  expect(Object.keys(await filesOf(dataDir))).toHaveLength(names.length);
  expect(await dumpTable(tableBeside(tableName))).toEqual(kept);
});

async function bytesBeforeEnding(path: string): Promise<number> {
  let bytes = 0;
  for await (const entry of entriesOf(path)) {
    if (entry.header.name !== 'end.json') bytes += entry.header.size;
    await passOver(entry);
  }
  return bytes;
}

describe('A restore with --replace', () => {
  test('Waits for running functions after it closed the organization, before it removes anything', async () => {
    const [dataDir, tableName] = [inFolder('settles'), newTable()];
    const place = { dataDir, tableName, dynamodbEndpoint: engineEndpoint() };
    const { target, close } = await openLocalTarget(place, new Pace());
    const waits: [isClosed: boolean, others: string[]][] = [];
    const settling = {
      ...target,
      async settle() {
        const isClosed = (await findProgress(target.table)) !== undefined;
        let now: string[] = [];
        // A run that does not wait has removed something meanwhile.
        for (let looks = 0; looks < 5; looks++) now = await dumpTable(target.table);
        waits.push([isClosed, now.filter((line) => !line.includes(organizationKeys.closure().sk))]);
      },
    };
    const options = { archive, target: settling, passphrase: PASSPHRASE, onStep: ignoreSteps };
    // A place that is empty has no functions to wait for.
    await restore({ ...options, keepsQueues: true });
    expect(waits).toEqual([]);
    await restore({ ...options, replaces: true });
    expect(waits).toEqual([[true, lines]]);
    await close();
  });
});

describe('A backup', () => {
  test('From one place is not continued at another', async () => {
    const to = inFolder('begun.tar');
    await expect(backBeside(source, table, to, { onStep: crashAt(3) })).rejects.toBeInstanceOf(Crash);
    for (const name of [`${to}.part`, `${to}.part.json`]) expect((await stat(name)).mode & 0o777).toBe(0o600);
    const other = quietTableSource(tableBeside('another'), source, engineEndpoint());
    await expect(backBeside(source, table, to, { source: other })).rejects.toThrow(
      `${to}.part is an unfinished backup of table ${table} at ${engineEndpoint()}; finish that one, or delete it and ${to}.part.json.`,
    );
    expect(await backBeside(source, table, to)).toMatchObject({ items: lines.length, files: 2 });
  });

  test('Ends without a file if the table changes during two readings', async () => {
    const raw = tableBeside(table);
    const note: RawItem = { pk: { S: 'NOTE' }, sk: { S: 'NOTE' } };
    let readings = 0;
    const pace = new Pace(
      1,
      () => 0,
      async () => raw.put([{ ...note, text: { S: `${++readings}` } }]),
    );
    const paced = new DynamoItems(openDynamo(engineEndpoint()), table, pace);
    const changing = quietTableSource(paced, source, engineEndpoint());
    const to = inFolder('changing.tar');
    await expect(backBeside(source, table, to, { source: changing })).rejects.toThrow(
      `${changing.name} was changed while it was read: stop the service, and run this again.`,
    );
    // Before and after each reading its table is looked at, where this notes a change.
    expect(readings).toBe(READINGS);
    expect((await readdir(folder)).filter((name) => name.startsWith('changing'))).toEqual([]);
    await raw.remove([note]);
  });

  test('Does not start if no later run could continue it, and a continued one has the first instant', async () => {
    const quiet = quietTableSource(tableBeside(table), source, engineEndpoint());
    const full = quiet.open('id', undefined, () => Promise.reject(new Error('The disk is full')));
    await expect(full).rejects.toThrow('The disk is full');
    const asOf = '2026-05-04T10:00:00.000Z';
    const opened = await quiet.open('id', { asOf }, async () => undefined);
    expect(opened.asOf).toBe(asOf);
    await opened.close();
  });

  test('Leaves the secret out without a passphrase', async () => {
    const [to, target, copy] = [inFolder('bare.tar'), inFolder('bare'), newTable()];
    await backBeside(source, table, to, { passphrase: undefined });
    await putBackBeside(to, target, copy, { passphrase: PASSPHRASE });
    await expect(secretIn(target)).rejects.toThrow('ENOENT');
  });
});
