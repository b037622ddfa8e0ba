import { describe, expect, test } from 'vitest';
import { BackupFailure } from '#infra/backup/archive/format.ts';
import { readBackupOptions, readLocalPlace, readRestoreOptions } from '#infra/backup/options.ts';
import { Pace } from '#infra/backup/pace.ts';
import { showProgress } from '#infra/backup/progress.ts';
import { fromLine, type RawItem, toLine } from '#infra/backup/raw-items.ts';
import { Misuse } from '#infra/command-line.ts';

const PASSPHRASE = '12 character';
const KNOWN = { BACKUP_PASSPHRASE: PASSPHRASE };
const NOWHERE = { stage: undefined, table: undefined, bucket: undefined, unitsPerSecond: undefined };

describe('The options of a backup', () => {
  const read = (args: string, environment: NodeJS.ProcessEnv = KNOWN) =>
    readBackupOptions(args.split(' '), environment);

  test('Name the archive, and default to the local service with its secret', () => {
    const usual = { to: 'x', at: undefined, withoutSecret: false, passphrase: PASSPHRASE };
    expect(read('--to x')).toEqual({ ...NOWHERE, ...usual });
    expect(read('--help')).toBe('help');
  });

  test('Name a stage, its table and bucket, an earlier time and a pace', () => {
    expect(
      read('--to x --stage prod --table t --bucket b --units-per-second 7 --at 2026-05-04T10:00:00Z'),
    ).toEqual({
      ...{ stage: 'prod', table: 't', bucket: 'b', unitsPerSecond: 7 },
      ...{ to: 'x', at: new Date('2026-05-04T10:00:00Z'), withoutSecret: false, passphrase: PASSPHRASE },
    });
  });

  test('May leave out the secret, and then need no passphrase', () => {
    expect(read('--to x --without-secret')).toMatchObject({ withoutSecret: true, passphrase: undefined });
    expect(() => read('--to x --without-secret', {})).not.toThrow();
    expect(() => read('--to x', { BACKUP_PASSPHRASE: '11character' })).toThrow('fewer than 12 characters');
    expect(() => read('--to x', { BACKUP_PASSPHRASE: '' })).toThrow('BACKUP_PASSPHRASE is missing');
  });

  test.each(['2026-05-04T10:00:00Z', '2026-05-04T12:00:00+02:00', '2026-05-04T05:00:00-0500'])(
    'Accept a time with its zone: %s',
    (at) => {
      expect(read(`--to x --stage prod --at ${at}`)).toMatchObject({ at: new Date('2026-05-04T10:00:00Z') });
    },
  );

  test.each(['2026-05-04T10:00:00', '2026-05-04', '2026-13-04T10:00:00Z', '10:00Z'])(
    'Refuse a time without a zone, or an invalid one: %s',
    (at) => {
      expect(() => read(`--to x --stage prod --at ${at}`)).toThrow('--at is a time with its zone');
    },
  );

  test.each(['--table t', '--bucket b', '--at 2026-05-04T10:00:00Z'])('Accept a stage for %s', (args) => {
    expect(() => read(`--to x ${args}`)).toThrow(Misuse);
    expect(() => read(`--to x ${args} --stage prod`)).not.toThrow();
  });

  test.each([
    ['--to x --units-per-second 1.5', '--units-per-second is a number from 1 on'],
    ['--to x y', "Unexpected argument 'y'"],
    ['--to x --replace', "Unknown option '--replace'"],
  ])('Refuse %s', (args, reason) => {
    expect(() => read(args)).toThrow(reason);
    expect(() => read(args)).toThrow(Misuse);
  });
});

describe('The options of a restore', () => {
  const read = (args: string) => readRestoreOptions(args.split(' '), {});

  test('Name the archive, and keep everything except event queues by default', () => {
    expect(read('--from x')).toEqual({
      ...NOWHERE,
      archive: 'x',
      replaces: false,
      keepsQueues: false,
      schedulesOnly: false,
      settleSeconds: 75,
      withoutSecret: false,
      passphrase: undefined,
    });
    expect(read('--help')).toBe('help');
  });

  test('Can override all defaults', () => {
    const switches = '--replace --keep-queues --without-secret --settle-seconds 1';
    expect(read(`--from x --stage test ${switches}`)).toMatchObject({
      ...{ stage: 'test', replaces: true, keepsQueues: true, withoutSecret: true, settleSeconds: 1 },
    });
    expect(read('--schedules-only --stage test')).toMatchObject({ schedulesOnly: true, archive: '' });
    expect(() => read('--from x --settle-seconds 0')).toThrow('--settle-seconds is a number from 1 on');
  });
});

test('The local service of a backup or restore must have a data folder', () => {
  expect(readLocalPlace({})).toEqual({ dataDir: '.data', dynamodbEndpoint: undefined });
  const [dataDir, dynamodbEndpoint] = ['elsewhere', 'http://127.0.0.1:8000'];
  const elsewhere = { DATA_DIR: dataDir, DYNAMODB_ENDPOINT: dynamodbEndpoint };
  expect(readLocalPlace(elsewhere)).toEqual({ dataDir, dynamodbEndpoint });
  const inMemory = () => readLocalPlace({ DATA_DIR: ':memory:' });
  expect(inMemory).toThrow(BackupFailure);
  expect(inMemory).toThrow(
    'A service that keeps its data in memory has no backups; name a folder by DATA_DIR.',
  );
});

describe('The progress of a command', () => {
  function show(isTTY: boolean, steps: Parameters<ReturnType<typeof showProgress>>[0][]): string {
    let shown = '';
    const output = { isTTY, write: (text: string) => (shown += text) } as unknown as NodeJS.WriteStream;
    const onStep = showProgress(output, () => 1_000_000);
    for (const step of steps) onStep(step);
    return shown;
  }
  const STEPS = [
    { doing: 'Preparing', done: 0 },
    { doing: 'Preparing', done: 1 },
    { doing: 'Items', done: 1_234, total: 2_468 },
    { doing: 'Items', done: 2_000, total: 2_468 },
    { doing: 'Items', done: 2_468, total: 2_468 },
    { doing: 'Files', done: 1, note: 'a/b.png' },
  ];

  test('Consists of a line for each new step, and for its end', () => {
    expect(show(false, STEPS)).toBe(
      'Preparing: 0\nItems: 50 % 1,234\nItems: 100 % 2,468\nFiles: 1, a/b.png\n',
    );
  });

  test('Consists of a bar on a terminal if a total is known, and each new step has a line of its own', () => {
    const [half, full] = ['#'.repeat(15) + '.'.repeat(15), '#'.repeat(30)];
    const draw = '\r\x1b[K';
    expect(show(true, STEPS)).toBe(
      `${draw}Preparing: 0\n${draw}[${half}] Items: 50 % 1,234${draw}[${full}] Items: 100 % 2,468\n${draw}Files: 1, a/b.png`,
    );
  });
});

describe('The pace', () => {
  test('Counts from the first units on, and waits no longer than needed', async () => {
    let nowMs = 5_000;
    const slept: number[] = [];
    const sleep = async (ms: number) => {
      slept.push(ms);
      nowMs += ms;
    };
    const pace = new Pace(10, () => nowMs, sleep);
    await pace.spend(20);
    nowMs += 500;
    await pace.spend(10);
    nowMs += 1_000;
    await pace.spend(10);
    nowMs += 99;
    await pace.spend(1);
    expect(slept).toEqual([2_000, 500, 1]);
    nowMs += 10_000;
    await pace.spend(10);
    expect(slept).toEqual([2_000, 500, 1]);
  });

  test('Does not wait if it is not set', async () => {
    const pace = new Pace(undefined, Date.now, () => Promise.reject(new Error('waited')));
    await pace.spend(1_000_000);
  });
});

describe('The line of an item', () => {
  const ITEM: RawItem = {
    sk: { S: 'b' },
    pk: { S: 'a' },
    bytes: { B: Uint8Array.from([0, 255]) },
    manyBytes: { BS: [Uint8Array.from([1]), Uint8Array.from([2])] },
    list: { L: [{ N: '2' }, { B: Uint8Array.from([3]) }, { N: '1' }] },
    map: { M: { b: { BOOL: true }, a: { NULL: true }, bytes: { B: Uint8Array.from([4]) } } },
    numbers: { NS: ['3', '10'] },
    texts: { SS: ['z', 'y'] },
  };

  test('Has names and sets in order, lists unchanged, and bytes in base64', () => {
    expect(toLine(ITEM)).toBe(
      `${JSON.stringify({
        Item: {
          bytes: { B: 'AP8=' },
          list: { L: [{ N: '2' }, { B: 'Aw==' }, { N: '1' }] },
          manyBytes: { BS: ['AQ==', 'Ag=='] },
          map: { M: { a: { NULL: true }, b: { BOOL: true }, bytes: { B: 'BA==' } } },
          numbers: { NS: ['10', '3'] },
          pk: { S: 'a' },
          sk: { S: 'b' },
          texts: { SS: ['y', 'z'] },
        },
      })}\n`,
    );
  });

  test('Restores the item, however deep its bytes are', () => {
    const back = fromLine(toLine(ITEM));
    expect(toLine(back)).toBe(toLine(ITEM));
    expect(back.bytes?.B).toEqual(Uint8Array.from([0, 255]));
    expect(back.manyBytes?.BS).toEqual([Uint8Array.from([1]), Uint8Array.from([2])]);
    expect(back.list?.L?.[1]?.B).toEqual(Uint8Array.from([3]));
    expect(back.map?.M?.bytes?.B).toEqual(Uint8Array.from([4]));
  });
});
