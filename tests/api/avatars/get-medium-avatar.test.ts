import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendTo } from '#tests/harness/anonymous.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('the larger picture of somebody who uploaded none is that of their address', async () => {
  const { owner } = service;
  const { status, headers } = await sendTo(`${service.url}/avatar/${owner.userId}/medium`, {
    headers: { authorization: owner.authorization },
  });
  const { body } = await owner.get('/users/me');
  expect([status, headers.get('location')]).toEqual([302, body.avatar_url]);
});
