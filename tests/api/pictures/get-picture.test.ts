import { describe, expect, test } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import { lookAt, makePicture, toForm } from '#tests/harness/pictures.ts';
import { startTestService } from '#tests/harness/service.ts';

const LIMIT = { requests: 20, windowSeconds: 60 };
const LIGHT_LIMIT = { requests: 200, windowSeconds: 60 };
const requestLimits = { user: LIMIT, address: LIMIT, light: LIGHT_LIMIT, agent: LIMIT };
const service = await startTestService({ requestLimits });
await service.owner.post('/realm/emoji/one', {}, { rawBody: toForm(await makePicture()) });
const url = service.url + (await service.owner.get('/realm/emoji')).body.emoji[1].source_url;

describe('A picture', () => {
  test('Loads by its address alone, may be cached permanently, and cannot run scripts', async () => {
    const { status, headers, body } = await sendTo(url);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(body).subarray(1, 4).toString()).toBe('PNG');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('Counts for a limit of its own, since a page shows many', async () => {
    for (let times = 0; times < 3 * LIMIT.requests; times++) expect((await sendTo(url)).status).toBe(200);
    expect((await sendTo(url)).headers.get('x-ratelimit-limit')).toBe(String(LIGHT_LIMIT.requests));
  });

  const generated = ['j.png', 'j12345678901.png', 'j8-large.png', 'j8.gif'];
  const others = ['nothing', '..%2f..%2fexports%2fall.json', 'a%00b.png', 'x'.repeat(3000)];
  const missing = '00000000-0000-0000-0000-000000000000.png';
  test.each([missing, ...generated, ...others])('Answers 404 for %s', async (name) => {
    const { status, body } = await sendTo(`${service.url}/user_avatars/${name}`);
    expect([status, body]).toEqual([404, { result: 'error', msg: 'No such picture', code: 'BAD_REQUEST' }]);
  });

  test('Has a pattern of its own for each account if it is generated, in both sizes', async () => {
    const shown = async (name: string) => {
      const { status, headers, body } = await sendTo(`${service.url}/user_avatars/${name}.png`);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
      return new Uint8Array(body);
    };
    const small = await shown('j8');
    expect(await lookAt(small)).toMatchObject({ kind: 'png', width: 100, height: 100 });
    const medium = await shown('j8-medium');
    expect(await lookAt(medium)).toMatchObject({ kind: 'png', width: 500, height: 500 });
    expect(medium.length).toBeLessThan(2_000);
    const accounts = Array.from({ length: 20 }, (_, n) => `j${n + 8}`);
    const patterns = await Promise.all(accounts.map(shown));
    expect(new Set(patterns.map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(20);
  });
});
