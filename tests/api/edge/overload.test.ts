import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOwnUser } from '#functions/users/get-own-user.ts';
import { lambda } from '#shared/api/lambda.ts';
import { beginRequest } from '#shared/runtime/deadline.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

const CALLERS = 300;

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  beginRequest(Number.POSITIVE_INFINITY);
  await service.stop();
});

test(`${CALLERS} callers at once are answered or asked to come back, none gets an error of the server`, async () => {
  const replies = await Promise.all(
    Array.from({ length: CALLERS }, () => service.owner.request('GET', '/users/me', {}, {})),
  );
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(CALLERS / 3);
});

test('a function that cannot reach the table asks its caller to come back before its own time ends', async () => {
  const table = new DynamoTable({ endpoint: 'http://127.0.0.1:9', tableName: 'none', region: 'us-east-1' });
  const handle = lambda(getOwnUser, () => ({ ...service.services, table }));
  const event = {
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
  } as const;
  const { statusCode, headers, body } = await handle(event, { getRemainingTimeInMillis: () => 1_000 });
  expect(statusCode).toBe(429);
  expect(JSON.parse(body)).toMatchObject({ result: 'error', code: 'RATE_LIMIT_HIT' });
  expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
});
