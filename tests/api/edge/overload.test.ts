import { afterAll, expect, test } from 'vitest';
import { getOwnUser } from '#functions/users/get-own-user.ts';
import type { Around } from '#infra/local/around.ts';
import { lambda } from '#shared/api/lambda.ts';
import { beginRequest } from '#shared/table/deadline.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { StorageFull, Throttled } from '#shared/table/table.ts';
import { withCalls } from '#tests/harness/log.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { inFunction } from '#tests/harness/privilege/least-privilege.ts';
import { startTestService } from '#tests/harness/service.ts';

const CALLERS = 300;
/** As many requests as the local service answers at once. */
const PLACES = 32;

let underWay = 0;
let mostUnderWay = 0;
/** The first requests wait for this, so that others come meanwhile. */
const go = Promise.withResolvers<void>();
const MEANWHILE_MS = 500;

const around: Around = (name, run) =>
  inFunction(name, async () => {
    mostUnderWay = Math.max(mostUnderWay, ++underWay);
    if (underWay === PLACES) setTimeout(go.resolve, MEANWHILE_MS);
    try {
      await go.promise;
      return await run();
    } finally {
      underWay--;
    }
  });
const service = await startTestService({}, { around });
afterAll(() => beginRequest(Number.POSITIVE_INFINITY));

test(`${CALLERS} simultaneous callers are answered, ${PLACES} at a time`, async () => {
  const replies = await Promise.all(
    Array.from({ length: CALLERS }, () => service.owner.request('GET', '/users/me', {}, {})),
  );
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(CALLERS / 3);
  expect(mostUnderWay).toBe(PLACES);
});

/** A request of the owner, as the gateway passes it on. */
const ownRequest = () =>
  ({
    version: '2.0',
    routeKey: getOwnUser.route,
    rawPath: '/api/v1/users/me',
    rawQueryString: '',
    headers: { authorization: service.owner.authorization },
    isBase64Encoded: false,
    requestContext: {
      requestId: 'overload',
      domainName: 'localhost',
      http: { method: 'GET', path: '/api/v1/users/me', sourceIp: '127.0.0.1' },
    },
  }) as const;

test('A function that cannot reach the table answers 429 before its own time ends', async () => {
  const table = new DynamoTable({ endpoint: 'http://127.0.0.1:9', tableName: 'none', region: 'us-east-1' });
  const handle = lambda(getOwnUser, () => ({ ...service.services, table }));
  const { statusCode, headers, body } = await handle(ownRequest(), { getRemainingTimeInMillis: () => 1_000 });
  expect(statusCode).toBe(429);
  expect(JSON.parse(body)).toMatchObject({ result: 'error', code: 'RATE_LIMIT_HIT' });
  expect(headers['Retry-After']).toBe('5');
  expect(takeErrors()).toEqual(['The table did not answer a request']);
});

test('A function with a throttled table answers 429 with a Retry-After of a second', async () => {
  const busy = withCalls(service.services, () => ({
    find: async () => {
      throw new Throttled('The table is busy');
    },
  }));
  const { statusCode, headers } = await lambda(getOwnUser, () => busy)(ownRequest());
  expect([statusCode, headers['Retry-After']]).toEqual([429, '1']);
});

test('A full disk answers 507 with its name, and requests succeed once there is room', async () => {
  let isFull = true;
  const services = withCalls(service.services, (table) => ({
    find: async (key, options) => {
      if (isFull) throw new StorageFull();
      return table.find(key, options);
    },
  }));
  const call = () => lambda(getOwnUser, () => services)(ownRequest());
  const { statusCode, body } = await call();
  const refusal = { result: 'error', msg: 'The storage of the service is full.', code: 'STORAGE_FULL' };
  expect([statusCode, JSON.parse(body)]).toEqual([507, refusal]);
  expect(takeErrors()).toEqual(['The disk is full: a request was refused']);
  isFull = false;
  expect((await call()).statusCode).toBe(200);
});
