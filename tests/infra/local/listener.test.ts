import { expect, test } from 'vitest';
import { addressOf } from '#infra/local/start.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { call, echo, serve } from './gateway-fixture.ts';

const registry = { getMe: echo('GET /things/me') };

const gateway = await serve(registry);

test('An idle connection stays open for 75 seconds, as every reply announces', async () => {
  const { headers } = await call(gateway, '/things/me');
  expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', 'timeout=75']);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', 'localhost'],
  ['::', 'localhost'],
  ['::1', '[::1]'],
  ['chat.example.com', 'chat.example.com'],
])('A service that listens on %s is reached at %s', (host, address) => {
  expect(addressOf(host)).toBe(address);
});

test('A port in use gives one clear line', async () => {
  await expect(serve(registry, { port: gateway.port })).rejects.toThrow(
    `Port ${gateway.port} of 127.0.0.1 is already in use`,
  );
});

test('Stopping with a grace period waits for current requests, and no longer', async () => {
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<object>();
  const slow: AnyEndpoint = {
    ...echo('GET /slow'),
    handle: () => {
      arrived.resolve();
      return answer.promise;
    },
  };
  const own = await serve({ slow });
  const reply = call(own, '/slow');
  await arrived.promise;
  const stopping = own.stop(3_600_000);
  await expect(call(own, '/slow')).rejects.toThrow();
  answer.resolve({});
  expect((await reply).status).toBe(200);
  await stopping;
});

test('Stopping closes connections with a current request', async () => {
  const arrived = Promise.withResolvers<void>();
  const endless: AnyEndpoint = {
    ...echo('GET /endless'),
    handle: () => {
      arrived.resolve();
      return new Promise<never>(() => {});
    },
  };
  const own = await serve({ endless });
  const reply = fetch(`http://127.0.0.1:${own.port}/api/v1/endless`);
  const outcome = reply.then(
    () => 'answered',
    () => 'closed',
  );
  await arrived.promise;
  await own.stop();
  expect(await outcome).toBe('closed');
});
