import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTable, LOCAL_REGION } from '#infra/local/create-table.ts';
import { lockDataFolder, openDataFolder } from '#infra/local/data-folder.ts';
import { type Engine, findEngineBinary, isPortTaken, startEngine } from '#infra/local/engine.ts';
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

  test('is begun again where its port was taken, and for no other reason', () => {
    expect(isPortTaken(new StartFailure('Address already in use (os error 98)'))).toBe(true);
    expect(isPortTaken(new StartFailure('unable to open database file'))).toBe(false);
    expect(isPortTaken(new Error('already in use'))).toBe(false);
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
