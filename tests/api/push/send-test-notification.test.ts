// The operations sendOlderTestNotification and sendTestNotification.
import { afterEach, describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { addPhone, attachRelay, type Phone } from '#tests/harness/relay.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { devicesOf, expectNoDevice } from './registrations.ts';

const service = await startTestService();
const relay = await attachRelay(service);
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
afterEach(() => {
  relay.trouble = undefined;
  relay.received = [];
});

const send = (client: Client, params: Params = {}) =>
  client.post('/mobile_push/e2ee/test_notification', params);

function expectAdminAction(reply: Reply): void {
  const msg =
    'Push notification configuration issue on server, contact the server administrator or retry later.';
  expectRefusal(reply, msg, { status: 403, code: 'ADMIN_ACTION_REQUIRED' });
}

function expectUnreachable(reply: Reply): void {
  const msg = 'Network error while connecting to Team Chat push notification service.';
  expectRefusal(reply, msg, { status: 502, code: 'FAILED_TO_CONNECT_BOUNCER' });
}

describe('A test notification', () => {
  test(
    'Goes to all registered devices, each with its own key',
    proves(
      'send-test-notification.1',
      'send-test-notification.2',
      'send-test-notification.3',
      'send-test-notification.4',
    ),
    async () => {
      const phones = [await addPhone(service, ada), await addPhone(service, ada, 'apns')];
      const { body, status } = await send(ada);
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
      const { realm_name, realm_url } = (await ada.register({ fetch_event_types: ['realm'] })).snapshot;
      for (const phone of phones)
        expect(relay.sentTo(phone)).toEqual([
          { type: 'test', realm_name, realm_url, user_id: ada.userId, time: expect.any(Number) },
        ]);
    },
  );

  test(
    'Goes to one named device',
    proves('send-test-notification.3', 'send-test-notification.9'),
    async () => {
      const phones = [await addPhone(service, ada), await addPhone(service, ada)] as const;
      expect((await send(ada, { device_id: phones[1].deviceId })).status).toBe(200);
      expect(phones.map((phone) => relay.sentTo(phone).length)).toEqual([0, 1]);
    },
  );

  test('Has the form that the vendor of each device requires', async () => {
    const cy = await createUser(service, 'Cy');
    const [android, apple] = [await addPhone(service, cy), await addPhone(service, cy, 'apns')];
    await send(cy);
    const encrypted = (phone: Phone) => ({
      push_key_id: phone.pushKeyId,
      encrypted_data: expect.stringMatching(/^[\w+/]+=*$/),
    });
    expect(relay.requestsFor(android)).toEqual([
      { token_id: android.tokenId, fcm_priority: 'high', payload: encrypted(android) },
    ]);
    expect(relay.requestsFor(apple)).toEqual([
      {
        token_id: apple.tokenId,
        http_headers: { apns_priority: 10, apns_push_type: 'alert' },
        payload: {
          ...encrypted(apple),
          aps: { 'mutable-content': 1, alert: { title: 'New notification' }, sound: 'default' },
        },
      },
    ]);
    const { realm_uuid } = (await cy.register({ fetch_event_types: ['realm'] })).snapshot;
    expect(relay.received.at(-1)).toMatchObject({
      path: '/api/v1/remotes/push/e2ee/notify',
      body: { realm_uuid },
    });
  });

  test('Reveals nothing to the relay; no two are equal', proves('send-test-notification.1'), async () => {
    const cy = await createUser(service, 'Cy');
    const phone = await addPhone(service, cy);
    await send(cy);
    await send(cy);
    const [first, second] = relay.requestsFor(phone).map(({ payload }) => payload.encrypted_data);
    expect(first).not.toBe(second);
    expect(Buffer.from(first, 'base64').toString('latin1')).not.toContain('test');
  });
});

describe('A test notification fails without an active device', () => {
  test('If the user has no registered device', proves('send-test-notification.5'), async () => {
    const cy = await createUser(service, 'Cy');
    expectNoDevice(await send(cy));
    const { device_id } = (await cy.post('/register_client_device')).body;
    expectNoDevice(await send(cy));
    expectNoDevice(await send(cy, { device_id }));
  });

  test(
    'If the device is missing, removed or another user’s',
    proves('send-test-notification.5'),
    async () => {
      const [own, gone] = [await addPhone(service, ada), await addPhone(service, ada)];
      await ada.post('/remove_client_device', { device_id: gone.deviceId });
      expectNoDevice(await send(ada, { device_id: 999_999 }));
      expectNoDevice(await send(ada, { device_id: gone.deviceId }));
      await addPhone(service, bo);
      expectNoDevice(await send(bo, { device_id: own.deviceId }));
      expect(relay.sentTo(own)).toEqual([]);
    },
  );

  test(
    'If the relay reports all tokens as dead, which removes them',
    proves('send-test-notification.5'),
    async () => {
      const cy = await createUser(service, 'Cy');
      const phones = [await addPhone(service, cy), await addPhone(service, cy)];
      relay.deadTokenIds = phones.map(({ tokenId }) => tokenId);
      const sendInVain = async () => expectNoDevice(await send(cy));
      await expectConsistentSnapshot(service, [cy, bo, service.owner], sendInVain);
      relay.received = [];
      expectNoDevice(await send(cy));
      expect(relay.received).toEqual([]);
      for (const { deviceId } of phones)
        expect((await devicesOf(cy))[deviceId]).toMatchObject({ push_token_id: null });
    },
  );

  test('But not if one token is valid', async () => {
    const cy = await createUser(service, 'Cy');
    const [dead, alive] = [await addPhone(service, cy), await addPhone(service, cy)];
    relay.deadTokenIds = [dead.tokenId];
    const queue = await cy.listen();
    expect((await send(cy)).status).toBe(200);
    expect(await queue.drain()).toMatchObject([{ type: 'device', op: 'update', push_token_id: null }]);
    expect(relay.sentTo(alive)).toHaveLength(1);
    expect(Object.values(await devicesOf(cy))).toMatchObject([
      { push_token_id: null },
      { push_token_id: alive.tokenId },
    ]);
  });
});

describe('A failing relay', () => {
  const BROKEN = 'Internal server error on Team Chat push notification service, retry later.';

  const noList = { result: 'success', delete_token_ids: 5 };
  test.each([
    ['answers 500', { status: 500, body: { result: 'error', msg: 'Oh' } }],
    ['answers 503 with a page', { status: 503, body: '<html>busy</html>' }],
    ['answers with nonsense', { status: 200, body: 'nonsense' }],
    ['answers with other JSON than its own', { status: 200, body: [1] }],
    ['answers with dead tokens that are no list', { status: 200, body: noList }],
  ])('Causes its own error if it %s', proves('send-test-notification.8'), async (_what, trouble) => {
    await addPhone(service, ada);
    relay.trouble = trouble;
    expectRefusal(await send(ada), BROKEN, { status: 502, code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER' });
  });

  test.each([
    ['hangs', 'hang'],
    ['hangs up', 'hang up'],
  ] as const)(
    'Causes a network error if it %s',
    proves('send-test-notification.7'),
    async (_what, trouble) => {
      await addPhone(service, ada);
      relay.trouble = trouble;
      expectUnreachable(await send(ada));
    },
  );

  test.each([
    ['does not know us', { status: 401, body: { result: 'error', code: 'INVALID_ZULIP_SERVER' } }],
    ['does not serve us', { status: 403, body: { result: 'error', code: 'MISSING_REMOTE_REALM' } }],
    ['is not there, but another server', { status: 404, body: 'Not found' }],
    ['names several addresses', { status: 300, body: '' }],
    ['has moved', { status: 302, headers: { location: 'https://example.com/' } }],
  ])('Requires an administrator if it %s', proves('send-test-notification.6'), async (_what, trouble) => {
    await addPhone(service, ada);
    relay.trouble = trouble;
    expectAdminAction(await send(ada));
  });

  test('Requires an administrator if it is not configured', proves('send-test-notification.6'), async () => {
    const other = await startTestService();
    await attachRelay(other);
    await addPhone(other, other.owner);
    delete other.services.relay;
    expectAdminAction(await send(other.owner));
  });

  test('Changes nothing', async () => {
    const cy = await createUser(service, 'Cy');
    const phone = await addPhone(service, cy);
    const before = await devicesOf(cy);
    for (const trouble of [{ status: 500 }, { status: 403 }, 'hang up'] as const) {
      relay.trouble = trouble;
      expect((await send(cy)).status).toBeGreaterThan(400);
    }
    expect(await devicesOf(cy)).toEqual(before);
    relay.trouble = undefined;
    expect((await send(cy, { device_id: phone.deviceId })).status).toBe(200);
  });
});

const sendOlder = (client: Client, params: Params = {}) =>
  client.post('/mobile_push/test_notification', params);
const NOT_RECOGNIZED = ['Device not recognized', { code: 'INVALID_PUSH_DEVICE_TOKEN' }] as const;

describe('A test notification by the older endpoint', () => {
  test('Goes to all devices of the caller that can be notified', async () => {
    const phones = [await addPhone(service, ada), await addPhone(service, ada, 'apns')];
    const { status, body } = await sendOlder(ada);
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    for (const phone of phones)
      expect(relay.sentTo(phone)).toMatchObject([{ type: 'test', user_id: ada.userId }]);
  });

  test('Succeeds without a device, and fails if no device is left', async () => {
    const cy = await createUser(service, 'Cy');
    expect((await sendOlder(cy)).body).toEqual({ result: 'success', msg: '' });
    const phone = await addPhone(service, cy);
    relay.deadTokenIds = [phone.tokenId];
    expectNoDevice(await sendOlder(cy));
    expect((await sendOlder(cy)).body).toEqual({ result: 'success', msg: '' });
  });

  test('Fails for a token that the caller does not have', async () => {
    const token = Buffer.from('token of Bo').toString('base64');
    for (const client of [ada, bo]) expectRefusal(await sendOlder(client, { token }), ...NOT_RECOGNIZED);
    await bo.post('/users/me/apns_device_token', { token, appid: 'org.example.App' });
    expectRefusal(await sendOlder(ada, { token }), ...NOT_RECOGNIZED);
    expectRefusal(await sendOlder(ada, { token: '' }), ...NOT_RECOGNIZED);
  });

  test.each([
    ['/users/me/apns_device_token', { appid: 'org.example.App' }],
    ['/users/me/android_gcm_reg_id', {}],
  ])('Does not go to a token of %s, and the caller gets an error', async (path, params) => {
    const token = Buffer.from(`own token ${path}`).toString('base64');
    await bo.post(path, { token, ...params });
    expectAdminAction(await sendOlder(bo, { token }));
    await bo.delete(path, { token });
    expectRefusal(await sendOlder(bo, { token }), ...NOT_RECOGNIZED);
  });
});

test('A failing relay is an error of its own', async () => {
  await addPhone(service, ada);
  relay.trouble = 'hang up';
  expectUnreachable(await sendOlder(ada));
});
