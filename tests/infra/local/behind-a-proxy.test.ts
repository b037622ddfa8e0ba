import { describe, expect, test } from 'vitest';
import { send } from '#tests/harness/anonymous.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { sendRaw } from './gateway-fixture.ts';

const PUBLIC_URL = 'https://chat.example.org';

const service = await startTestService(
  { requestLimits: { ...limits(1_000_000), address: { requests: 2, windowSeconds: 60 } } },
  { publicUrl: PUBLIC_URL, trustedProxies: 1 },
);

function limits(requests: number) {
  const one = { requests, windowSeconds: 60 };
  return { user: one, address: one, light: one, agent: one };
}

describe('A service with an https address', () => {
  test('States it, requires encryption of browsers, and limits cookies to it', async () => {
    const headers = { host: 'chat.example.org', 'x-forwarded-for': '192.0.2.1', origin: PUBLIC_URL };
    const form = { username: service.owner.email, password: PASSWORD };
    const body = new URLSearchParams(form);
    const reply = await send(service.url, '/session', { method: 'POST', headers, body });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(reply.headers.get('set-cookie')).toMatch(/^__Host-session=.*; Secure/);
    const settings = await send(service.url, '/server_settings', {
      headers: { 'x-forwarded-for': '192.0.2.2' },
    });
    expect(settings.body.realm_url).toBe(PUBLIC_URL);
  });

  test('Limits strangers by the address that the proxy has seen', async () => {
    const statusFrom = async (forwarded: string) =>
      (await send(service.url, '/server_settings', { headers: { 'x-forwarded-for': forwarded } })).status;
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++)
      statuses.push(await statusFrom(`203.0.113.${count}, 198.51.100.1`));
    expect(statuses).toEqual([200, 200, 429]);
    expect(await statusFrom('198.51.100.2')).toBe(200);
  });
});

describe('GET /health', () => {
  const get = (method = 'GET') => fetch(`${service.url}/health`, { method });

  test('Answers 200 without credentials while the table can be read', async () => {
    const reply = await get();
    expect([reply.status, await reply.text()]).toEqual([200, 'well\n']);
    expect((await get('HEAD')).status).toBe(200);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('Answers 404 or 405 to other methods', async () => {
    expect((await get('POST')).status).toBeGreaterThanOrEqual(404);
  });

  test('Answers a balancer that speaks HTTP/1.0 and names an address', async () => {
    const reply = await sendRaw(service.service, 'GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1.1 200 /);
  });
});
