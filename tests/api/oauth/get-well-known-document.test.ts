import { expect, test } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const get = (document: string) => sendTo(`${service.url}/.well-known/${document}`);

test('One document names the resource and its authorization server', async () => {
  for (const name of ['oauth-protected-resource', 'oauth-protected-resource/mcp']) {
    const { body } = await get(name);
    expect(body).toMatchObject({ resource: `${service.url}/mcp`, authorization_servers: [service.url] });
  }
});

test('Another document names the endpoints of authorization, PKCE and documents of clients', async () => {
  const { body } = await get('oauth-authorization-server');
  expect(body).toMatchObject({
    issuer: service.url,
    authorization_endpoint: `${service.url}/oauth/authorize`,
    token_endpoint: `${service.url}/oauth/token`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
});

test('Unknown documents answer 404', async () => {
  expect((await get('openid-configuration')).status).toBe(404);
});
