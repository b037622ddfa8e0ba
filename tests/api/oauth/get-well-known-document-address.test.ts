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
    const named = { resource: `${PUBLIC_URL}/mcp`, authorization_servers: [PUBLIC_URL] };
    expect(resource.body).toMatchObject(named);
    const { body } = await get('/.well-known/oauth-authorization-server', headers);
    expect(body).toMatchObject({ issuer: PUBLIC_URL, token_endpoint: `${PUBLIC_URL}/oauth/token` });
    const refused = await sendTo(`${service.url}/mcp`, { method: 'POST', headers });
    const metadata = `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`;
    expect(refused.headers.get('www-authenticate')).toContain(metadata);
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
    const issued = await program.exchange(answer.get('code') ?? '', { resource });
    expect(issued.status).toBe(200);
    const other = await program.consent(person, { resource: `${service.url}/mcp` });
    expect(other.answer.get('error')).toBe('invalid_target');
  });

  test('Takes agents in pages of its public address, and of no other', async () => {
    const { authorization } = service.owner;
    const ping = (origin: string) =>
      sendTo(`${service.url}/mcp`, {
        method: 'POST',
        headers: { authorization, origin, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
    expect((await ping('https://evil.example')).status).toBe(403);
    expect((await ping(PUBLIC_URL)).status).not.toBe(403);
  });

  test('Names it on AWS behind a distribution, which calls the service by the host of the API', async () => {
    const event = toGatewayEvent(getWellKnownDocument, { document: 'oauth-authorization-server' }, '');
    event.requestContext.domainName = 'abc123.execute-api.eu-central-1.amazonaws.com';
    const reply = await lambda(getWellKnownDocument, () => service.services)(event);
    expect(JSON.parse(reply.body)).toMatchObject({ issuer: PUBLIC_URL });
  });
});

test('A service on the machine of its user has the name of loopback by which a program reached it', async () => {
  const local = await startTestService();
  const named = local.url.replace('127.0.0.1', 'localhost');
  const headers = { host: new URL(named).host };
  const { body } = await sendTo(`${local.url}/.well-known/oauth-authorization-server`, { headers });
  expect(body.issuer).toBe(named);
});
