import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { beginRequest } from '#shared/table/deadline.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { Throttled, TransactionCanceled, type Write } from '#shared/table/table.ts';
import { serveLocally } from '#tests/harness/local-server.ts';

/** Longer than one attempt, so that a throttled call gives up soon. */
const REQUEST_MS = 900;

/** The answer of DynamoDB to every call. */
let answer: object;

const { url: endpoint } = await serveLocally((call, reply) => {
  call.resume();
  reply.statusCode = 400;
  reply.setHeader('content-type', 'application/x-amz-json-1.0');
  reply.end(JSON.stringify(answer));
});
afterAll(() => beginRequest(Number.POSITIVE_INFINITY));

const failureOf = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => undefined,
    (failure: unknown) => failure,
  );

const write: Write = { kind: 'put', item: { ...userKeys.user(1), name: 'Ada' } };
const met = { pk: { S: 'USER' }, name: { S: 'Bo' } };

describe('A refused call', () => {
  let table: DynamoTable;
  beforeEach(() => {
    table = new DynamoTable({ endpoint, tableName: 'any', region: 'us-east-1' });
    beginRequest(REQUEST_MS);
  });

  const cancel = (...CancellationReasons: { Code: string; Item?: object }[]): Promise<unknown> => {
    answer = { __type: 'TransactionCanceledException', message: 'As the test wants it', CancellationReasons };
    return failureOf(table.transact([write], 'token'));
  };

  test.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'Throws Throttled for a transaction that DynamoDB cancels with %s',
    async (code) => {
      expect(await cancel({ Code: 'None' }, { Code: code })).toBeInstanceOf(Throttled);
    },
  );

  test('Throws a conflict for a transaction that meets another one', async () => {
    const failure = await cancel(
      { Code: 'None' },
      { Code: 'ThrottlingError' },
      { Code: 'TransactionConflict' },
    );
    expect(failure).toBeInstanceOf(TransactionCanceled);
    expect(failure).toMatchObject({ failed: [], isConflict: true });
  });

  test('Reports a failed condition before a conflict, and names its write', async () => {
    const failure = await cancel(
      { Code: 'TransactionConflict' },
      { Code: 'ConditionalCheckFailed', Item: met },
      { Code: 'ConditionalCheckFailed' },
    );
    expect(failure).toBeInstanceOf(TransactionCanceled);
    expect(failure).toMatchObject({
      failed: [{ index: 1, existing: { pk: 'USER', name: 'Bo' } }, { index: 2 }],
      isConflict: false,
    });
  });

  test('Throws no conflict for another reason of a canceled transaction, so nobody retries it', async () => {
    const failure = await cancel({ Code: 'None' }, { Code: 'ItemCollectionSizeLimitExceeded' });
    expect(failure).toBeInstanceOf(TransactionCanceled);
    expect(failure).toMatchObject({ failed: [], isConflict: false });
  });

  test.each(['TransactionConflictException', 'TransactionInProgressException'])(
    'Counts as meeting another write after %s, and may be retried',
    async (type) => {
      answer = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'As the test wants it' };
      const failure = await failureOf(table.write(write));
      expect(failure).toBeInstanceOf(TransactionCanceled);
      expect(failure).toMatchObject({ failed: [], isConflict: true });
    },
  );

  test.each(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'])(
    'Throws Throttled if DynamoDB refuses with %s for the whole time of its request',
    async (type) => {
      answer = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'As the test wants it' };
      expect(await failureOf(table.find(userKeys.user(1)))).toBeInstanceOf(Throttled);
    },
  );

  test('Rethrows the error of DynamoDB for a wrong call', async () => {
    answer = { __type: 'com.amazon.coral.validate#ValidationException', message: 'As the test wants it' };
    const failure = await failureOf(table.find(userKeys.user(1)));
    expect(failure).toMatchObject({ name: 'ValidationException', message: 'As the test wants it' });
    expect(failure).not.toBeInstanceOf(Throttled);
  });
});
