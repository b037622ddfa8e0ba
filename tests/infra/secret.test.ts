import { expect, test } from 'vitest';
import { regenerateApiKey } from '#functions/users/regenerate-api-key.ts';
import { readSecretParameter } from '#shared/adapters/aws-secret.ts';
import { lambda } from '#shared/api/lambda.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { inFunction } from '#tests/harness/privilege/least-privilege.ts';
import { startTestService } from '#tests/harness/service.ts';

let asked = 0;

const { url: endpoint } = await serveLocally((_request, response) => {
  asked++;
  response.writeHead(400).end(JSON.stringify({ __type: 'ThrottlingException', message: 'Rate exceeded' }));
});
const service = await startTestService();

test('While SSM throttles, a request that needs the secret gets 429 with Retry-After, and changes nothing', async () => {
  const secret = () => readSecretParameter({ name: '/one/secret', region: 'eu-west-1', endpoint });
  const path = '/api/v1/users/me/api_key/regenerate';
  const handle = lambda(regenerateApiKey, () => ({ ...service.services, secret }));
  const { statusCode, headers, body } = await inFunction('regenerateApiKey', () =>
    handle({
      version: '2.0',
      routeKey: `POST ${path}`,
      rawPath: path,
      rawQueryString: '',
      headers: { authorization: service.owner.authorization },
      isBase64Encoded: false,
      requestContext: {
        requestId: 'one',
        domainName: 'localhost',
        http: { method: 'POST', path, sourceIp: '127.0.0.1' },
      },
    }),
  );
  expect([statusCode, JSON.parse(body).code, asked]).toEqual([429, 'RATE_LIMIT_HIT', 4]);
  expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
  expect((await service.owner.request('GET', '/users/me', {}, {})).status).toBe(200);
});
