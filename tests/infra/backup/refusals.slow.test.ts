import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BackupFailure } from '#infra/backup/archive/format.ts';
import { ArchiveWriter } from '#infra/backup/archive/writer.ts';
import { DynamoItems, openDynamo } from '#infra/backup/dynamo-items.ts';
import { readBackupOptions, readRestoreOptions } from '#infra/backup/options.ts';
import { Pace } from '#infra/backup/pace.ts';
import { quietTableSource } from '#infra/backup/places/quiet-table.ts';
import { lockDataFolder } from '#infra/local/data-folder.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';
import { runNode } from '#tests/infra/run-node.ts';
import {
  backBeside,
  dumpTable,
  linesOf,
  PASSPHRASE,
  putBackBeside,
  startBeside,
  tableBeside,
} from './fixture.ts';

await useWireEngine();

const folder = temporaryFolder('refusals');
const inFolder = (name: string): string => join(folder, name);
const table = `test-${randomUUID()}`;
const archive = inFolder('all.tar');

const service = await startBeside(inFolder('source'), table);
await service.owner.subscribe('room');
await service.stop();
await backBeside(inFolder('source'), table, archive);

describe('A restore is refused without any effect', () => {
  /** An archive that differs in some way. */
  async function changed(name: string, change: (path: string) => Promise<unknown>): Promise<string> {
    await copyFile(archive, inFolder(name));
    await change(inFolder(name));
    return inFolder(name);
  }

  const expectRefusal = async (path: string, reason: string | RegExp, passphrase?: string) => {
    const unused = `test-${randomUUID()}`;
    const options = passphrase === undefined ? {} : { passphrase };
    const refused = putBackBeside(path, inFolder('target'), unused, options);
    await expect(refused).rejects.toThrow(reason);
    await expect(refused).rejects.toBeInstanceOf(BackupFailure);
    expect(await dumpTable(tableBeside(unused))).toEqual([]);
  };

  test('If one byte of an item is changed', async () => {
    const flipped = await changed('flipped.tar', async (path) => {
      const bytes = await readFile(path);
      const at = bytes.indexOf('items/00000001') + 512 + 100;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(path, bytes);
    });
    await expectRefusal(flipped, 'is damaged: items/00000001.jsonl.gz is not as it was');
  });

  test('If the archive ends early', async () => {
    const short = await changed('short.tar', (path) => truncate(path, 4_096));
    await expectRefusal(short, /is not complete|cannot be read/);
  });

  test('If the file is no archive, or of a later version of the format', async () => {
    await writeFile(inFolder('text'), 'x'.repeat(5_000));
    await expectRefusal(inFolder('text'), /cannot be read|is not a backup|has no ending/);
    const writer = await ArchiveWriter.open(inFolder('later.tar'), new Date());
    const opening = { format: 'team-chat-backup', formatVersion: 2, id: 'x', secret: null } as const;
    await writer.begin({ ...opening, madeBy: '99', asOf: '2040-01-01', source: 'x' });
    await writer.finish({ items: 0, files: 0 });
    await writer.close();
    await expectRefusal(inFolder('later.tar'), 'has version 2 of the format; this service reads up to 1');
  });

  test('Without a passphrase', async () => {
    const unused = `test-${randomUUID()}`;
    const refused = putBackBeside(archive, inFolder('target'), unused, { passphrase: undefined });
    await expect(refused).rejects.toThrow('BACKUP_PASSPHRASE is missing');
    expect(await dumpTable(tableBeside(unused))).toEqual([]);
  });

  test('With another passphrase', () =>
    expectRefusal(archive, 'BACKUP_PASSPHRASE is not the passphrase', 'another passphrase'));
});

test('A backup replaces no file, and a restore into a table that is in use is refused', async () => {
  await expect(backBeside(inFolder('source'), table, archive)).rejects.toThrow('exists already');
  const before = await dumpTable(tableBeside(table));
  await expect(putBackBeside(archive, inFolder('source'), table)).rejects.toThrow('is not empty');
  expect(await dumpTable(tableBeside(table))).toEqual(before);
});

test('A table without point-in-time recovery is read twice, and a change between starts the backup over', async () => {
  const raw = tableBeside(table);
  const noteKey = { pk: { S: 'NOTE' }, sk: { S: 'NOTE' } };
  let readings = 0;
  // The pace is kept after each page, and the table has one.
  const pace = new Pace(
    1,
    () => 0,
    async () => {
      if (++readings === 1) await raw.put([{ ...noteKey, text: { S: 'changed' } }]);
    },
  );
  const paced = new DynamoItems(openDynamo(engineEndpoint()), table, pace);
  const source = quietTableSource(paced, inFolder('source'), engineEndpoint());
  const to = inFolder('changed once.tar');
  await backBeside(inFolder('source'), table, to, { source });
  expect(readings).toBe(4);
  const copy = `test-${randomUUID()}`;
  await putBackBeside(to, inFolder('copy'), copy, { keepsQueues: true });
  expect(await dumpTable(tableBeside(copy))).toEqual(await dumpTable(raw));
  await raw.remove([noteKey]);
});

describe('The pace', () => {
  /** A clock that advances only by sleeping. */
  function stillPace(unitsPerSecond: number) {
    let nowMs = 0;
    const pace = new Pace(
      unitsPerSecond,
      () => nowMs,
      async (ms) => (nowMs += ms),
    );
    return { pace, elapsedSeconds: () => nowMs / 1000 };
  }

  test('Makes writes and reads take a second for each unit', async () => {
    const writing = stillPace(10);
    const target = new DynamoItems(openDynamo(engineEndpoint()), table, writing.pace);
    const items = Array.from({ length: 60 }, (_, index) => ({
      pk: { S: 'BRAKE' },
      sk: { S: String(index) },
      text: { S: 'x'.repeat(1_500) },
    }));
    await target.put(items);
    // Two units for each item of 1.5 KB.
    expect(writing.elapsedSeconds()).toBeCloseTo(12, 5);
    const reading = stillPace(5);
    const source = new DynamoItems(openDynamo(engineEndpoint()), table, reading.pace);
    const bytes = JSON.stringify(await dumpTable(source)).length;
    expect(reading.elapsedSeconds()).toBeGreaterThan(bytes / 4096 / 5 / 4);
    await target.remove(items);
  });
});

describe('The commands', () => {
  test('Name the option that is missing or wrong', () => {
    const backup =
      (args: string[], environment: NodeJS.ProcessEnv = { BACKUP_PASSPHRASE: PASSPHRASE }) =>
      (reason: string): void =>
        expect(() => readBackupOptions(args, environment)).toThrow(reason);
    backup([])('--to is missing');
    backup(['--to', 'x'], {})('BACKUP_PASSPHRASE is missing');
    backup(['--to', 'x'], { BACKUP_PASSPHRASE: 'short' })('has fewer than 12 characters');
    backup(['--to', 'x', '--at', 'yesterday', '--stage', 'prod'])('--at is a time with its zone');
    backup(['--to', 'x', '--at', '2026-05-04T10:00:00Z'])('--at takes --stage');
    backup(['--to', 'x', '--units-per-second', '0'])('--units-per-second is a number from 1 on');
    backup(['--to', 'x', '--table', 'y'])('--table and --bucket take --stage');
    backup(['--too', 'x'])('see --help');
    expect(() => readRestoreOptions([], {})).toThrow('--from is missing');
    expect(() => readRestoreOptions(['--schedules-only'], {})).toThrow('--schedules-only takes --stage');
  });

  test('Write an archive into a data folder, copy one, and print errors without a stack trace', async () => {
    const [dataDir, empty, to] = [inFolder('local'), inFolder('no data'), inFolder('local.tar')];
    await mkdir(empty, { recursive: true });
    const command = (name: string, args: string[], place: string) =>
      runNode(`infra/backup/${name}-command.ts`, args, {
        BACKUP_PASSPHRASE: PASSPHRASE,
        DATA_DIR: place,
        DYNAMODB_ENDPOINT: '',
      });
    const expected = await linesOf(archive);
    const restored = await command('restore', ['--from', archive, '--keep-queues'], dataDir);
    expect(restored.stdout, restored.stderr).toMatch(
      new RegExp(`^data folder ${dataDir} holds ${expected.length} items and 0 files as of \\S+Z\\.\n$`),
    );
    const lock = lockDataFolder(empty);
    const [copied, refused, misused, busy] = await Promise.all([
      command('backup', ['--to', to], dataDir),
      command('backup', ['--to', inFolder('none.tar')], empty),
      command('backup', [], dataDir),
      command('restore', ['--from', archive], empty),
    ]);
    lock.release();
    expect(misused).toMatchObject({
      ...{ status: 2, stdout: '', stderr: '--to is missing: the file that becomes the archive.\n' },
    });
    expect(busy).toMatchObject({
      status: 1,
      stderr: `The folder ${empty} is in use by another service that runs; end that one or choose another by DATA_DIR.\n`,
    });
    expect(copied.stdout, copied.stderr).toMatch(
      new RegExp(`^${to} holds ${expected.length} items and 0 files as of \\S+Z\\.\n$`),
    );
    expect(await linesOf(to)).toEqual(expected);
    expect(refused.status).toBe(1);
    expect(refused.stderr.trim().split('\n').at(-1)).toBe(
      `The folder ${empty} holds no data of this version of the service: start it there once, or name another by DATA_DIR.`,
    );
  });
});
