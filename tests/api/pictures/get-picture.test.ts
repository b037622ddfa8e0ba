import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
let url: string;
beforeAll(async () => {
  service = await startTestService({ requestLimits: { user: LIMIT, address: LIMIT } });
  await service.owner.post('/realm/emoji/one', {}, { rawBody: toForm(await makePicture()) });
  const { body } = await service.owner.get('/realm/emoji');
  url = service.url + body.emoji[1].source_url;
});
afterAll(() => service.stop());
const LIMIT = { requests: 20, windowSeconds: 60 };

describe('a picture', () => {
  test('is shown by its address alone, for as long as a browser likes, and runs nothing', async () => {
    const { status, headers, body } = await sendTo(url);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(body).subarray(1, 4).toString()).toBe('PNG');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('answers HEAD as well', async () => {
    const { status, headers, body } = await sendTo(url, { method: 'HEAD' });
    expect([status, headers.get('content-type'), body]).toEqual([200, 'image/png', undefined]);
  });

  test('does not count for the limits of requests, since a page shows many', async () => {
    for (let times = 0; times < 3 * LIMIT.requests; times++) expect((await sendTo(url)).status).toBe(200);
    expect((await sendTo(url)).headers.get('x-ratelimit-limit')).toBeNull();
  });

  test.each([
    ['00000000-0000-0000-0000-000000000000.png'],
    ['nothing'],
    ['..%2f..%2fexports%2fall.json'],
    ['a%00b.png'],
    ['x'.repeat(3000)],
  ])('is none where %s is asked for', async (name) => {
    const { status, body } = await sendTo(`${service.url}/user_avatars/${name}`);
    expect([status, body]).toEqual([404, { result: 'error', msg: 'No such picture', code: 'BAD_REQUEST' }]);
  });

  test('is nothing that other methods work on', async () => {
    expect((await sendTo(url, { method: 'DELETE' })).status).toBe(405);
  });
});
