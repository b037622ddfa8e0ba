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

  test('Name the archive, and else mean the local service with its secret', () => {
    expect(read('--to x')).toEqual({
      ...NOWHERE,
      to: 'x',
      at: undefined,
      withoutSecret: false,
      passphrase: PASSPHRASE,
    });
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

  test('Leave out the secret with its passphrase, which none is needed for then', () => {
    expect(read('--to x --without-secret')).toMatchObject({ withoutSecret: true, passphrase: undefined });
    expect(() => read('--to x --without-secret', {})).not.toThrow();
    expect(() => read('--to x', { BACKUP_PASSPHRASE: '11character' })).toThrow('fewer than 12 characters');
    expect(() => read('--to x', { BACKUP_PASSPHRASE: '' })).toThrow('BACKUP_PASSPHRASE is missing');
  });

  test.each(['2026-05-04T10:00:00Z', '2026-05-04T12:00:00+02:00', '2026-05-04T05:00:00-0500'])(
    'Take a time with its zone: %s',
    (at) => {
      expect(read(`--to x --stage prod --at ${at}`)).toMatchObject({ at: new Date('2026-05-04T10:00:00Z') });
    },
  );

  test.each(['2026-05-04T10:00:00', '2026-05-04', '2026-13-04T10:00:00Z', '10:00Z'])(
    'Refuse a time without a zone, or that is none: %s',
    (at) => {
      expect(() => read(`--to x --stage prod --at ${at}`)).toThrow('--at is a time with its zone');
    },
  );

  test.each(['--table t', '--bucket b', '--at 2026-05-04T10:00:00Z'])('Take a stage for %s', (args) => {
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

  test('Name the archive, and else keep what is there but event queues', () => {
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

  test('May say all otherwise', () => {
    const switches = '--replace --keep-queues --without-secret --settle-seconds 1';
    expect(read(`--from x --stage test ${switches}`)).toMatchObject({
      ...{ stage: 'test', replaces: true, keepsQueues: true, withoutSecret: true, settleSeconds: 1 },
    });
    expect(read('--schedules-only --stage test')).toMatchObject({ schedulesOnly: true, archive: '' });
    expect(() => read('--from x --settle-seconds 0')).toThrow('--settle-seconds is a number from 1 on');
  });
});

test('The local service that is backed up or restored is the one that npm start would run, which has to keep its data', () => {
  expect(readLocalPlace({})).toEqual({ dataDir: '.data', dynamodbEndpoint: undefined });
  const elsewhere = { DATA_DIR: 'elsewhere', DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' };
  expect(readLocalPlace(elsewhere)).toEqual({
    dataDir: 'elsewhere',
    dynamodbEndpoint: 'http://127.0.0.1:8000',
  });
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

  test('Is a line for each new thing that is done, and for its end', () => {
    expect(show(false, STEPS)).toBe(
      'Preparing: 0\nItems: 50 % 1,234\nItems: 100 % 2,468\nFiles: 1, a/b.png\n',
    );
  });

  test('Is a bar on a terminal where a total is known, and each new thing has a line of its own', () => {
    const [half, full] = ['#'.repeat(15) + '.'.repeat(15), '#'.repeat(30)];
    const draw = '\r\x1b[K';
    expect(show(true, STEPS)).toBe(
      `${draw}Preparing: 0\n${draw}[${half}] Items: 50 % 1,234${draw}[${full}] Items: 100 % 2,468\n${draw}Files: 1, a/b.png`,
    );
  });

  test('Is drawn each tenth of a second on a terminal, and no sooner', () => {
    let nowMs = 1_000_000;
    let draws = 0;
    const output = { isTTY: true, write: () => (draws += 1) } as unknown as NodeJS.WriteStream;
    const onStep = showProgress(output, () => nowMs);
    for (const passedMs of [0, 99, 1, 99, 1]) {
      nowMs += passedMs;
      onStep({ doing: 'Items', done: 1, total: 2 });
    }
    expect(draws).toBe(3);
  });

  test('Goes to 100 % at most, where more is there than was expected', () => {
    expect(show(false, [{ doing: 'Items', done: 3, total: 2 }])).toBe('Items: 100 % 3\n');
  });
});

describe('The pace', () => {
  test('Counts from the first units on, and waits for no more than is missing', async () => {
    let nowMs = 5_000;
    const slept: number[] = [];
    const pace = new Pace(
      10,
      () => nowMs,
      async (ms) => {
        slept.push(ms);
        nowMs += ms;
      },
    );
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

  test('Lets all pass where none is given', async () => {
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

  test('Has names and sets in order, lists as they are, and bytes in base64', () => {
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

  test('Gives the item back, however deep its bytes lie', () => {
    const back = fromLine(toLine(ITEM));
    expect(toLine(back)).toBe(toLine(ITEM));
    expect(back.bytes?.B).toEqual(Uint8Array.from([0, 255]));
    expect(back.manyBytes?.BS).toEqual([Uint8Array.from([1]), Uint8Array.from([2])]);
    expect(back.list?.L?.[1]?.B).toEqual(Uint8Array.from([3]));
    expect(back.map?.M?.bytes?.B).toEqual(Uint8Array.from([4]));
  });
});
