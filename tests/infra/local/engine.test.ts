import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { createTable, LOCAL_REGION } from '#infra/local/create-table.ts';
import { lockDataFolder, openDataFolder } from '#infra/local/data-folder.ts';
import { type Engine, findEngineBinary, onFreePort, startEngine } from '#infra/local/engine.ts';
import { readOrCreateSecret } from '#infra/local/secret.ts';
import { StartFailure } from '#infra/local/start-failure.ts';
import { tableDefinition } from '#shared/table/definition.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';

let folder: string;
let engine: Engine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-engine-'));
  engine = await startEngine();
});
afterAll(async () => {
  await engine.stop();
  await rm(folder, { recursive: true });
});

const openClient = ({ endpoint }: Engine) =>
  new DynamoDBClient({
    endpoint,
    region: LOCAL_REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });

const openTable = ({ endpoint }: Engine, tableName: string) =>
  new DynamoTable({ endpoint, tableName, region: LOCAL_REGION });

const portOf = ({ endpoint }: Engine): number => Number(new URL(endpoint).port);

async function canConnect(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  const [connected] = await once(socket, 'connect').then(
    () => [true],
    () => [false],
  );
  socket.destroy();
  return connected === true;
}

describe('the embedded DynamoDB', () => {
  test('listens on the loopback interface only', async () => {
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address?.family === 'IPv4' && !address.internal);
    expect(await canConnect('127.0.0.1', portOf(engine))).toBe(true);
    for (const address of others) expect(await canConnect(address!.address, portOf(engine))).toBe(false);
  });

  test('two run side by side', async () => {
    const other = await startEngine();
    expect(other.endpoint).not.toBe(engine.endpoint);
    await other.stop();
  });

  test('is gone once it is stopped, and stopping it again does no harm', async () => {
    let isLost = false;
    const other = await startEngine({ onLost: () => (isLost = true) });
    await other.stop();
    await other.stop();
    expect(await canConnect('127.0.0.1', portOf(other))).toBe(false);
    expect(isLost).toBe(false);
  });

  test('keeps its data in the file it is given', async () => {
    const databasePath = join(folder, 'kept.sqlite');
    const item = { pk: 'a', sk: 'b', content: 'kept' };
    const first = await startEngine({ databasePath });
    await createTable({ endpoint: first.endpoint, tableName: 'kept' });
    await openTable(first, 'kept').write({ kind: 'put', item });
    await first.stop();
    const second = await startEngine({ databasePath });
    expect(await openTable(second, 'kept').find({ pk: 'a', sk: 'b' })).toEqual(item);
    await second.stop();
  });

  test('a file that cannot be opened is one clear line', async () => {
    const databasePath = join(folder, 'missing', 'folder', 'data.sqlite');
    await expect(startEngine({ databasePath })).rejects.toThrow(
      /^The embedded DynamoDB did not start: .+unable to open database file(?!.*\s$)/s,
    );
  });

  test.each([
    [new StartFailure('Address already in use (os error 98)'), 3],
    [new StartFailure('unable to open database file'), 1],
    [new Error('already in use'), 1],
  ])(
    'is begun again on another port where its port was taken, and for no other reason: %s',
    async (failure, times) => {
      const ports = new Set<number>();
      let failures = 0;
      const start = (most: number) =>
        onFreePort(async (port) => {
          ports.add(port);
          if (failures++ < most) throw failure;
          return port;
        });
      await expect(start(9)).rejects.toBe(failure);
      expect(failures).toBe(times);
      expect(ports.size).toBe(times);
      failures = 0;
      const starting = start(2);
      if (times === 1) await expect(starting).rejects.toBe(failure);
      else expect(ports).toContain(await starting);
    },
  );

  test('hears nothing of a Ctrl-C that ends the service, nor does what guards it', async () => {
    const other = await startEngine();
    const listed = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,args='], { encoding: 'utf8' }).split('\n');
    const processes = listed.map((line) => line.trim().split(/\s+/));
    const found = processes.find((words) => words.includes(String(portOf(other)))) ?? [];
    const guard = processes.find((words) => words.includes('guard') && words.at(-1) === found[0]) ?? [];
    for (const [pid, group] of [found, guard]) {
      expect(pid).toMatch(/^\d+$/);
      expect(group).toBe(pid);
    }
    await other.stop();
  });

  test('starts and ends where there is no shell to guard it', async () => {
    vi.stubEnv('PATH', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const other = await startEngine();
    await other.stop();
    expect(await canConnect('127.0.0.1', portOf(other))).toBe(false);
  });

  describe('of which a program stands in its place', () => {
    const put = async (name: string, script: string): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
      return path;
    };
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    test('is given up when it is not ready after 15 seconds, and is gone', async () => {
      const path = await put('silent', 'echo $$ > "$0.pid"; exec sleep 100');
      const starting = startEngine({}, path);
      const outcome = expect(starting).rejects.toThrow('did not start: it does not answer');
      const pid = () => readFile(`${path}.pid`, 'utf8').then(Number, () => 0);
      while (!(await pid())) await nextTurn();
      vi.advanceTimersByTime(14_999);
      await nextTurn();
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(1);
      await outcome;
      const isThere = (one: number): boolean => {
        try {
          return process.kill(one, 0);
        } catch {
          return false;
        }
      };
      expect(isThere(await pid())).toBe(false);
    });

    test('that ends tells the end of what it said, is not waited for, and leaves no process', async () => {
      const countProcesses = () =>
        process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
      const before = countProcesses();
      const said = await put('said', 'printf "%03000d" 7; printf " the end "; exit 1');
      await expect(startEngine({}, said)).rejects.toThrow(
        new StartFailure(`The embedded DynamoDB did not start: ${'0'.repeat(2_000 - 10)}7 the end`),
      );
      await expect(startEngine({}, await put('mute', 'exit 1'))).rejects.toThrow('it ended at once');
      await expect(startEngine({}, join(folder, 'none'))).rejects.toThrow('ENOENT');
      // What has exited is let go some turns later.
      while (countProcesses() > before) await nextTurn();
      expect(vi.getTimerCount()).toBe(0);
    });

    test('that says that it listens is not given up any more', async () => {
      const ready = await put('ready', 'echo Listening on a port; exec sleep 100');
      const other = await startEngine({}, ready);
      expect(vi.getTimerCount()).toBe(0);
      vi.useRealTimers();
      await other.stop();
    });
  });

  test('a platform without an emulator is told of the way round', () => {
    expect(() => findEngineBinary('plan9', 'mips')).toThrow(
      'The embedded DynamoDB is not installed (@dynoxide/plan9-mips): run npm ci, or name another DynamoDB by DYNAMODB_ENDPOINT.',
    );
  });
});

describe('the local table', () => {
  test('is created as it is defined', async () => {
    await createTable({ endpoint: engine.endpoint, tableName: 'defined' });
    const client = openClient(engine);
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'defined' }));
    expect(Table?.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST');
    expect(Table?.KeySchema?.map(({ AttributeName }) => AttributeName)).toEqual([
      tableDefinition.partitionKey,
      tableDefinition.sortKey,
    ]);
    const indexes = Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
      name: IndexName,
      keys: KeySchema?.map(({ AttributeName }) => AttributeName),
      projection: Projection?.ProjectionType,
    }));
    const expected = tableDefinition.indexes.map(({ name, partitionKey, sortKey }) => ({
      name,
      keys: [partitionKey, sortKey],
      projection: 'ALL',
    }));
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      String(a.name).localeCompare(String(b.name));
    expect(indexes?.sort(byName)).toEqual(expected.sort(byName));
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName: 'defined' }),
    );
    expect(TimeToLiveDescription).toMatchObject({
      TimeToLiveStatus: expect.stringMatching(/^ENABL/),
      AttributeName: tableDefinition.timeToLiveAttribute,
    });
    client.destroy();
  });

  test('is left as it is when it exists', async () => {
    const options = { endpoint: engine.endpoint, tableName: 'existing' };
    await createTable(options);
    await openTable(engine, 'existing').write({ kind: 'put', item: { pk: 'a', sk: 'b' } });
    await Promise.all([createTable(options), createTable(options)]);
    expect(await openTable(engine, 'existing').find({ pk: 'a', sk: 'b' })).toBeDefined();
  });

  test('many tables live in one engine', async () => {
    const names = Array.from({ length: 5 }, (_, n) => `many-${n}`);
    await Promise.all(names.map((tableName) => createTable({ endpoint: engine.endpoint, tableName })));
    const client = openClient(engine);
    const { TableNames } = await client.send(new ListTablesCommand({}));
    expect(TableNames).toEqual(expect.arrayContaining(names));
    client.destroy();
  });
});

describe('the data folder', () => {
  test('holds one secret of its own for good, readable by its owner alone', async () => {
    const [dataDir, otherDir] = [join(folder, 'a'), join(folder, 'b')];
    await Promise.all([openDataFolder(dataDir), openDataFolder(otherDir)]);
    const secret = await readOrCreateSecret(dataDir);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await readOrCreateSecret(dataDir)).toBe(secret);
    expect(await readOrCreateSecret(otherDir)).not.toBe(secret);
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
  });

  test('a damaged secret is reported, not replaced', async () => {
    const dataDir = join(folder, 'damaged');
    await openDataFolder(dataDir);
    await writeFile(join(dataDir, 'secret'), '');
    await expect(readOrCreateSecret(dataDir)).rejects.toThrow('does not hold a secret');
  });

  test('serves one service at a time', async () => {
    const dataDir = join(folder, 'locked');
    await openDataFolder(dataDir);
    const lock = lockDataFolder(dataDir);
    expect(() => lockDataFolder(dataDir)).toThrow('in use by another service');
    lock.release();
    lockDataFolder(dataDir).release();
  });
});
