import { describe, expect, test } from 'vitest';
import { getWellKnownDocument } from '#functions/oauth/get-well-known-document.ts';
import { lambda } from '#shared/api/lambda.ts';
import { toGatewayEvent } from '#tests/conformance/requests.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import { Program } from '#tests/harness/oauth.ts';
import { startTestService } from '#tests/harness/service.ts';

const PUBLIC_URL = 'https://chat.example.org';

const service = await startTestService({}, { publicUrl: PUBLIC_URL, trustedProxies: 1 });

const get = (path: string, headers: Record<string, string> = {}) =>
  sendTo(`${service.url}${path}`, { headers });

/** The ways in which a proxy, or a stranger, may name the service. */
const WAYS: [way: string, headers: Record<string, string>][] = [
  ['by its public name', { host: 'chat.example.org' }],
  ['by its own address, as a proxy does that names itself', {}],
  ['with a forwarded host', { host: 'chat.example.org', 'x-forwarded-host': 'evil.example' }],
  ['with another protocol', { host: 'chat.example.org', 'x-forwarded-proto': 'http' }],
  ['with another port', { host: 'chat.example.org:8443' }],
];

describe('A service with a public address', () => {
  test.each(WAYS)('Names the public address to programs that come %s', async (_way, headers) => {
    const resource = await get('/.well-known/oauth-protected-resource/mcp', headers);
    expect(resource.body).toMatchObject({
      resource: `${PUBLIC_URL}/mcp`,
      authorization_servers: [PUBLIC_URL],
    });
    const { body } = await get('/.well-known/oauth-authorization-server', headers);
    expect(body).toMatchObject({ issuer: PUBLIC_URL, token_endpoint: `${PUBLIC_URL}/oauth/token` });
    const refused = await sendTo(`${service.url}/mcp`, { method: 'POST', headers });
    expect(refused.headers.get('www-authenticate')).toContain(
      `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  test('Does not answer to the name of another host', async () => {
    const { status } = await get('/.well-known/oauth-authorization-server', { host: 'evil.example' });
    expect(status).toBe(421);
  });

  test('Issues codes and tokens for its public address alone', async () => {
    const person = await service.createUser('Person');
    const program = await Program.register(service.url);
    const resource = `${PUBLIC_URL}/mcp`;
    const { answer } = await program.consent(person, { resource });
    expect(answer.get('iss')).toBe(PUBLIC_URL);
    const issued = await sendTo(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: program.clientId,
        code: answer.get('code') ?? '',
        redirect_uri: 'http://127.0.0.1:4000/callback',
        code_verifier: program.verifier,
        resource,
      }),
    });
    expect(issued.status).toBe(200);
    const other = await program.consent(person, { resource: `${service.url}/mcp` });
    expect(other.answer.get('error')).toBe('invalid_target');
  });

  test('Takes agents in pages of its public address, and of no other', async () => {
    const { authorization } = service.owner;
    const statusFrom = async (origin: string) =>
      (
        await sendTo(`${service.url}/mcp`, {
          method: 'POST',
          headers: { authorization, origin, 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
        })
      ).status;
    expect(await statusFrom('https://evil.example')).toBe(403);
    expect(await statusFrom(PUBLIC_URL)).not.toBe(403);
  });

  test('Names it on AWS behind a distribution, which calls the service by the host of the API', async () => {
    const event = toGatewayEvent(getWellKnownDocument, { document: 'oauth-authorization-server' }, '');
    event.requestContext.domainName = 'abc123.execute-api.eu-central-1.amazonaws.com';
    const reply = await lambda(getWellKnownDocument, () => service.services)(event);
    expect(JSON.parse(reply.body)).toMatchObject({ issuer: PUBLIC_URL });
  });
});

describe('A service on the machine of its user', () => {
  test('Has the name of loopback by which a program reached it', async () => {
    const local = await startTestService();
    const named = local.url.replace('127.0.0.1', 'localhost');
    const { body } = await sendTo(`${local.url}/.well-known/oauth-authorization-server`, {
      headers: { host: new URL(named).host },
    });
    expect(body.issuer).toBe(named);
    await local.stop();
  });
});
