import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { addPhone, attachRelay } from '#tests/harness/relay.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectNoDevice } from './registrations.ts';

const service = await startTestService();
const relay = await attachRelay(service);
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const send = (client: Client, params: Params = {}) => client.post('/mobile_push/test_notification', params);
const NOT_RECOGNIZED = ['Device not recognized', { code: 'INVALID_PUSH_DEVICE_TOKEN' }] as const;

describe('A test notification by the older endpoint', () => {
  test('Goes to all devices of the caller that can be notified', async () => {
    const phones = [await addPhone(service, ada), await addPhone(service, ada, 'apns')];
    const { status, body } = await send(ada);
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    for (const phone of phones)
      expect(relay.sentTo(phone)).toMatchObject([{ type: 'test', user_id: ada.userId }]);
  });

  test('Succeeds without a device, and fails if no device is left', async () => {
    expect((await send(bo)).body).toEqual({ result: 'success', msg: '' });
    const phone = await addPhone(service, bo);
    relay.deadTokenIds = [phone.tokenId];
    expectNoDevice(await send(bo));
    expect((await send(bo)).body).toEqual({ result: 'success', msg: '' });
  });

  test('Fails for a token that the caller does not have', async () => {
    const token = Buffer.from('token of Bo').toString('base64');
    for (const client of [ada, bo]) expectRefusal(await send(client, { token }), ...NOT_RECOGNIZED);
    await bo.post('/users/me/apns_device_token', { token, appid: 'org.example.App' });
    expectRefusal(await send(ada, { token }), ...NOT_RECOGNIZED);
    expectRefusal(await send(ada, { token: '' }), ...NOT_RECOGNIZED);
  });

  test.each([
    ['/users/me/apns_device_token', { appid: 'org.example.App' }],
    ['/users/me/android_gcm_reg_id', {}],
  ])('Does not go to a token of %s, and the caller gets an error', async (path, params) => {
    const token = Buffer.from(`own token ${path}`).toString('base64');
    await bo.post(path, { token, ...params });
    expectRefusal(
      await send(bo, { token }),
      'Push notification configuration issue on server, contact the server administrator or retry later.',
      { status: 403, code: 'ADMIN_ACTION_REQUIRED' },
    );
    await bo.delete(path, { token });
    expectRefusal(await send(bo, { token }), ...NOT_RECOGNIZED);
  });
});

test('A failing relay is an error of its own', async () => {
  await addPhone(service, ada);
  relay.trouble = 'hang up';
  expectRefusal(await send(ada), 'Network error while connecting to Team Chat push notification service.', {
    status: 502,
    code: 'FAILED_TO_CONNECT_BOUNCER',
  });
});
