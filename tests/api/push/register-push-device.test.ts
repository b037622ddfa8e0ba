import { afterEach, describe, expect, test } from 'vitest';
import { userKeys } from '#shared/table/keys/users.ts';
import { expectNoErrorBut } from '#tests/harness/logged-lines.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { addPhone, attachRelay, Phone, RELAY_ACCOUNT } from '#tests/harness/relay.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { deviceOf, newPhone, register, updateOf } from './registrations.ts';

const service = await startTestService();
const relay = await attachRelay(service);
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
afterEach(() => {
  relay.trouble = undefined;
});

describe('Registering a device for push', () => {
  test('Notifies its user at once, and again when the relay has accepted it', async () => {
    const phone = await newPhone(ada);
    const [own, others] = [await ada.register(), await bo.register()];
    expect((await register(ada, phone.fields)).body).toEqual({ result: 'success', msg: '' });
    await service.settle();
    expect(await own.drain()).toEqual([
      updateOf(phone, {
        push_key_id: phone.pushKeyId,
        pending_push_token_id: phone.tokenId,
        push_token_last_updated_timestamp: expect.any(Number),
      }),
      updateOf(phone, { push_token_id: phone.tokenId, pending_push_token_id: null }),
    ]);
    expect(await others.drain()).toEqual([]);
    expect(await deviceOf(ada, phone)).toEqual({
      push_key_id: phone.pushKeyId,
      push_token_id: phone.tokenId,
      pending_push_token_id: null,
      push_token_last_updated_timestamp: expect.any(Number),
      push_registration_error_code: null,
    });
  });

  test('Sends the relay the required data, under our account, and no key', async () => {
    const phone = await addPhone(service, ada);
    const { realm_uuid } = (await ada.register({ fetch_event_types: ['realm'] })).snapshot;
    const requests = relay.received.filter(({ body }) => body.token_id === phone.tokenId);
    const { token_id, bouncer_public_key, encrypted_push_registration } = phone.tokenFields;
    expect(requests).toEqual([
      {
        path: '/api/v1/remotes/push/e2ee/register',
        authorization: `Basic ${Buffer.from(`${RELAY_ACCOUNT.user}:${RELAY_ACCOUNT.key}`).toString('base64')}`,
        body: { realm_uuid, token_id, bouncer_public_key, encrypted_push_registration },
      },
    ]);
  });

  test('Encrypts the stored key', async () => {
    const phone = await addPhone(service, ada);
    const { table } = service.services;
    const item = JSON.stringify(await table.find(userKeys.pushDevices(ada.userId)));
    const bytes = [...phone.pushKey].join(',');
    expect(item).toContain(phone.tokenId);
    for (const spelling of [bytes, phone.pushKey.toString('base64'), phone.pushKey.toString('hex')])
      expect(item).not.toContain(spelling);
  });

  test('Keeps events equal to register for every user', async () => {
    const phone = await newPhone(ada);
    await expectConsistentSnapshot(service, [ada, bo, service.owner], () => register(ada, phone.fields));
    phone.tokenId = new Phone().tokenId;
    const rotate = () => register(ada, { device_id: phone.deviceId, ...phone.tokenFields });
    await expectConsistentSnapshot(service, [ada, bo, service.owner], rotate);
  });

  test('Changes nothing for a repetition', async () => {
    const phone = await addPhone(service, ada);
    const queue = await ada.register();
    expect((await register(ada, phone.fields)).status).toBe(200);
    const { device_id, ...halves } = phone.fields;
    expect((await register(ada, { device_id, ...phone.keyFields })).status).toBe(200);
    expect((await register(ada, { device_id, ...phone.tokenFields })).status).toBe(200);
    expect(Object.keys(halves)).toHaveLength(6);
    await service.settle();
    expect(await queue.drain()).toEqual([]);
  });

  test.each([
    ['another key', ['pushKey', 'pushKeyId']],
    ['another key by the same name', ['pushKey']],
    ['the same key by another name', ['pushKeyId']],
  ] as const)('May change %s alone, which applies at once', async (_what, changed) => {
    const phone = await addPhone(service, ada);
    const queue = await ada.register();
    const other = new Phone();
    for (const part of changed) Object.assign(phone, { [part]: other[part] });
    await register(ada, { device_id: phone.deviceId, ...phone.keyFields });
    const expected = changed.some((part) => part === 'pushKeyId') ? { push_key_id: phone.pushKeyId } : {};
    expect(await queue.drain()).toEqual([updateOf(phone, expected)]);
    await ada.post('/mobile_push/e2ee/test_notification', { device_id: phone.deviceId });
    expect(relay.sentTo(phone)).toMatchObject([{ type: 'test' }]);
  });

  test('May change the token alone; the old one is used until the relay has accepted the new one', async () => {
    const phone = await addPhone(service, ada);
    const oldTokenId = phone.tokenId;
    phone.tokenId = new Phone().tokenId;
    relay.trouble = { status: 500 };
    await register(ada, { device_id: phone.deviceId, ...phone.tokenFields });
    const waiting = { push_token_id: oldTokenId, pending_push_token_id: phone.tokenId };
    expect(await deviceOf(ada, phone)).toMatchObject(waiting);
    relay.trouble = undefined;
    await service.settle();
    const accepted = { push_token_id: phone.tokenId, pending_push_token_id: null };
    expect(await deviceOf(ada, phone)).toMatchObject(accepted);
    expectNoErrorBut('A job failed');
  });
});

describe('A registration for push', () => {
  const MISSING = 'Missing parameters: must provide either all push key fields, all token fields, or both.';

  const ofKey = ['push_key_id', 'push_key'];
  const ofToken = ['token_kind', 'token_id', 'bouncer_public_key', 'encrypted_push_registration'];
  test.each([...ofKey, ...ofToken])('Fails without %s', async (name) => {
    const phone = await newPhone(ada);
    expectRefusal(await register(ada, { ...phone.fields, [name]: undefined }), MISSING);
    expect(await deviceOf(ada, phone)).toMatchObject({ push_key_id: null, pending_push_token_id: null });
  });

  test('Fails if it is empty', async () => {
    const { deviceId } = await newPhone(ada);
    expectRefusal(await register(ada, { device_id: deviceId }), MISSING);
  });

  test.each([
    ['push_key', '@abcdefg', 'Invalid `push_key`'],
    ['push_key', 'abcd', 'Invalid `push_key`'],
    ['push_key', Buffer.alloc(33, 0x32).toString('base64'), 'Invalid `push_key`'],
    ['push_key_id', -1, 'Invalid push_key_id: Value error, Not a valid unsigned 32-bit integer'],
    ['push_key_id', 2 ** 32, 'Invalid push_key_id: Value error, Not a valid unsigned 32-bit integer'],
    ['token_id', '@abcdefg', '`token_id` is not Base64 encoded'],
    ['token_id', 'abcd', 'Invalid `token_id`'],
    ['token_kind', 'sms', 'Invalid token_kind'],
    ['encrypted_push_registration', 'x'.repeat(8193), 'The registration is too long'],
  ])('Fails with the %s %j', async (name, value, msg) => {
    const phone = await newPhone(ada);
    expectRefusal(await register(ada, { ...phone.fields, [name]: value }), msg);
  });

  test('Fails if the first one is incomplete', async () => {
    const { deviceId: device_id } = await newPhone(ada);
    const { keyFields, tokenFields } = new Phone();
    for (const [half, fields] of Object.entries({ key: keyFields, token: tokenFields })) {
      const reply = await register(ada, { device_id, ...fields });
      expectRefusal(reply, `No push registration exists to rotate ${half} for.`);
    }
  });

  test('Fails for another user’s device like for a missing one', async () => {
    const phone = await newPhone(ada);
    expectRefusal(await register(bo, phone.fields), 'Invalid `device_id`');
    expectRefusal(await register(bo, { ...phone.fields, device_id: 999_999 }), 'Invalid `device_id`');
  });
});
