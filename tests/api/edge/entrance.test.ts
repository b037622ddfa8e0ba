import { beforeEach, describe, expect, test } from 'vitest';
import { defaultConfig } from '#shared/runtime/config.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Reply } from '#tests/harness/client.ts';
import { startTestService } from '#tests/harness/service.ts';

const SECRET = 'known to the distribution alone';
const PATHS = ['/api/v1/server_settings', '/api/v1/nothing', '/realm/icon', '/api/v1/users/me'];
const WINDOW_MS = 60_000;

const service = await startTestService({ requestLimits: defaultConfig.requestLimits, originSecret: SECRET });
beforeEach(() => service.advance(WINDOW_MS - (service.services.clock.nowMs() % WINDOW_MS)));

const fetchPath = (path: string, headers: Record<string, string> = {}) =>
  sendTo(service.url + path, { headers });
const through = (viewer: string) => ({ 'x-origin-secret': SECRET, 'x-viewer-address': viewer });
const restOf = ({ headers }: Reply): number => Number(headers.get('x-ratelimit-remaining'));

describe('A service behind a distribution', () => {
  test.each(PATHS)('Refuses %s past the distribution, even with an account', async (path) => {
    const direct: Record<string, string>[] = [
      {},
      { 'x-viewer-address': '203.0.113.7' },
      { 'x-origin-secret': 'guessed', 'x-viewer-address': '203.0.113.7' },
      { 'x-origin-secret': SECRET },
    ];
    for (const headers of direct) {
      const { authorization } = service.owner;
      const { status, body } = await fetchPath(path, { ...headers, authorization });
      expect([status, body.msg]).toEqual([404, 'This service is reached by another address']);
    }
  });

  test('Answers requests through the distribution', async () => {
    const { authorization, userId } = service.owner;
    const headers = { ...through('203.0.113.7'), authorization };
    expect((await fetchPath('/api/v1/users/me', headers)).body.user_id).toBe(userId);
  });

  test.each(['/api/v1/server_settings', '/api/v1/nothing'])(
    'Counts %s for the address of the viewer',
    async (path) => {
      const first = restOf(await fetchPath(path, through('203.0.113.7')));
      expect(restOf(await fetchPath(path, through('203.0.113.7')))).toBe(first - 1);
      expect(restOf(await fetchPath(path, through('203.0.113.8')))).toBe(first);
      const network = (last: number) => fetchPath(path, through(`2001:db8:1:2::${last}`));
      expect(restOf(await network(1))).toBe(first);
      expect(restOf(await network(2)), 'of one network').toBe(first - 1);
    },
  );
});

test('Without a distribution a caller cannot choose the address that requests are counted for', async () => {
  const open = await startTestService({ requestLimits: defaultConfig.requestLimits });
  const restFor = async (viewer: string) => {
    const headers = { 'x-viewer-address': viewer, 'x-forwarded-for': viewer };
    return restOf(await sendTo(`${open.url}/api/v1/server_settings`, { headers }));
  };
  const first = await restFor('203.0.113.7');
  expect(await restFor('203.0.113.8')).toBe(first - 1);
});
