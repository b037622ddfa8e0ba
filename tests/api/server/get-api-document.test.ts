import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { DOCUMENTATION_PATH } from '#infra/local/documentation.ts';
import { gatewayRouteOf } from '#shared/api/route.ts';
import { send } from '#tests/harness/anonymous.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

describe('The OpenAPI document', () => {
  test('Comes without an account, has every operation, and has no envelope', async () => {
    const { status, headers, body } = await send(service.url, '/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).not.toHaveProperty('result');
    const routes = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.sort()).toEqual(
      Object.values(endpoints)
        .map((endpoint) => gatewayRouteOf(endpoint).replace('+}', '}'))
        .sort(),
    );
  });

  test('Comes compressed to clients that accept it', async () => {
    const { headers } = await send(service.url, '/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
    expect(headers.get('content-encoding')).toBe('gzip');
  });
});

describe('The documentation page of the local service', () => {
  const page = (path: string, method = 'GET') =>
    fetch(`${service.url}${DOCUMENTATION_PATH}${path}`, { method });

  test.each(['', '/'])('Appears at the path with %j at its end', async (end) => {
    const response = await page(end);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('Loads nothing from elsewhere', async () => {
    const response = await page('');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    const text = await response.text();
    const addresses = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      expect(address.startsWith(`${DOCUMENTATION_PATH}/`)).toBe(true);
      const part = await fetch(service.url + address);
      expect(part.status, address).toBe(200);
      expect((await part.arrayBuffer()).byteLength).toBeGreaterThan(0);
    }
  });

  test.each(['/constructor', '/../package.json', '/swagger-ui.css.map', 'x', '/%2e%2e/secret'])(
    'Has no file %s',
    async (path) => {
      expect((await page(path)).status).toBe(404);
    },
  );
});
