import { expect, test, vi } from 'vitest';
import { toAwsEvent } from '#infra/sam/to-aws-event.ts';

const requestContext = {
  requestId: 'one',
  domainName: 'localhost',
  http: { method: 'GET', path: '/', sourceIp: '127.0.0.1' },
};

test('An event of SAM becomes one of API Gateway: lower-case headers, an encoded path, nothing empty', () => {
  const ofSam = {
    version: '2.0' as const,
    routeKey: 'GET /user_uploads/{filename+}',
    rawPath: '/user_uploads/a b/ü.png',
    rawQueryString: '',
    headers: { Authorization: 'Basic eDp5', Cookie: 'a=b', 'X-Forwarded-Proto': 'http' },
    cookies: ['a=b'],
    pathParameters: {},
    body: '',
    isBase64Encoded: true,
    requestContext,
  };
  expect(toAwsEvent(ofSam)).toEqual({
    version: '2.0',
    routeKey: 'GET /user_uploads/{filename+}',
    rawPath: '/user_uploads/a%20b/%C3%BC.png',
    rawQueryString: '',
    headers: { authorization: 'Basic eDp5', 'x-forwarded-proto': 'http' },
    cookies: ['a=b'],
    isBase64Encoded: false,
    requestContext,
  });
  const withBody = { ...ofSam, body: 'AP8=', pathParameters: { filename: 'a' } };
  expect(toAwsEvent(withBody)).toMatchObject({
    body: 'AP8=',
    isBase64Encoded: true,
    pathParameters: { filename: 'a' },
  });
});

test('The handler for SAM passes the event to the named function, as API Gateway would, and returns its answer', async () => {
  const source = 'export const handler = async (event, context) => ({ event, context })';
  vi.stubEnv('FUNCTION_FILE', `data:text/javascript,${source}`);
  const { handler } = await import('#infra/sam/adapter.ts');
  vi.unstubAllEnvs();
  const event = {
    version: '2.0' as const,
    routeKey: 'GET /messages',
    rawPath: '/messages',
    rawQueryString: '',
    headers: { Authorization: 'Basic eDp5' },
    isBase64Encoded: false,
    requestContext,
  };
  const context = { awsRequestId: 'one' };
  expect(await handler(event, context)).toEqual({ event: toAwsEvent(event), context });
});
