import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const check = (userAgent: string) =>
  sendTo(`${service.url}/compatibility`, { headers: { 'user-agent': userAgent } });

test.each([
  'ZulipMobile/16.2.96 (Android 10)',
  'ZulipMobile/27.192 (Android 13)',
  'ZulipMobile/1.0.13 (iOS 10.3.1)',
  'ZulipElectron/5.4.3 Mozilla/5.0 (Linux)',
  'ZulipFlutter/0.0.30 (Android 14)',
  'curl/8.1',
])('%s is compatible', async (userAgent) => {
  const { status, body } = await check(userAgent);
  expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
});

test.each([
  'ZulipInvalid/5.0',
  'ZulipInvalid',
  'ZulipMobile/16.2.95 (Android 10)',
  'ZulipMobile/1.0 (Android 4)',
  'ZulipMobile/16.2 (Android 9)',
])('%s is too old', async (userAgent) => {
  expectRefusal(await check(userAgent), 'Client is too old');
});

test('A request without User-Agent is refused', async () => {
  const body = await new Promise<unknown>((resolve, reject) => {
    request(`${service.url}/compatibility`, (response) => resolve(json(response)))
      .on('error', reject)
      .end();
  });
  expect(body).toMatchObject({ result: 'error', msg: 'User-Agent header missing from request' });
});
