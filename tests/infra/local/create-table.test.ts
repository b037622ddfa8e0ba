import { json } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { createTable } from '#infra/local/create-table.ts';
import { serveLocally } from '#tests/harness/local-server.ts';

/** Replaces DynamoDB: its requests and answers, in order, and its next answers. */
let happened: string[];
let sent: Record<string, unknown>;
let timeToLive: string | undefined;
let refusal: string | undefined;

const server = await serveLocally(
  async (request, response) => {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    happened.push(`requests ${operation}`);
    sent[operation] = await json(request);
    // Code that does not wait for the answer has continued by then.
    for (let turns = 0; turns < 30; turns++) await nextTurn();
    happened.push(`receives ${operation}`);
    const isRefused = operation === 'CreateTable' && refusal !== undefined;
    const reply = isRefused
      ? { __type: refusal, message: refusal }
      : { Table: { TableStatus: 'ACTIVE' }, TimeToLiveDescription: { TimeToLiveStatus: timeToLive } };
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(reply));
  },
  { keepAliveTimeout: 0 },
);
beforeEach(() => {
  happened = [];
  sent = {};
  timeToLive = 'DISABLED';
  refusal = undefined;
});

const create = async (): Promise<void> => {
  await createTable({ endpoint: server.url, tableName: 't' });
  happened.push('is ready');
};
const eachOf = (...operations: string[]): string[] =>
  operations.flatMap((operation) => [`requests ${operation}`, `receives ${operation}`]);
const CREATION = ['CreateTable', 'DescribeTable', 'DescribeTimeToLive'];

test('A table is ready once DynamoDB reports it and the expiry is configured, one after the other', async () => {
  await create();
  expect(happened).toEqual([...eachOf(...CREATION, 'UpdateTimeToLive'), 'is ready']);
  expect(sent.UpdateTimeToLive).toEqual({
    TableName: 't',
    TimeToLiveSpecification: { AttributeName: 'expiresAtSeconds', Enabled: true },
  });
});

test.each(['ENABLED', 'ENABLING'])('A table with a configured expiry is not changed: %s', async (status) => {
  timeToLive = status;
  await create();
  expect(happened).toEqual([...eachOf(...CREATION), 'is ready']);
});

test('An existing table is used, and one that may not be created is a failure', async () => {
  refusal = 'ResourceInUseException';
  await create();
  expect(happened).toEqual([...eachOf(...CREATION, 'UpdateTimeToLive'), 'is ready']);
  refusal = 'AccessDeniedException';
  await expect(create()).rejects.toThrow('AccessDeniedException');
});

test('Creating a table leaves no connection', async () => {
  await create();
  await expect.poll(() => server.countConnections(), { interval: 5 }).toBe(0);
});
