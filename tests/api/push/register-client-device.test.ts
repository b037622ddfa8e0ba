// The operations registerClientDevice and removeClientDevice.
import { describe, expect, test } from 'vitest';
import { MAX_DEVICES } from '#shared/domain/push/changes.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { addPhone, attachRelay } from '#tests/harness/relay.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { devicesOf } from './registrations.ts';

const service = await startTestService();
await attachRelay(service);
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

const add = (client: Client) => client.post('/register_client_device');
const remove = (client: Client, device_id: unknown) => client.post('/remove_client_device', { device_id });

const NOTHING_KNOWN = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

describe('Registering a client device', () => {
  test('Returns an id that no other device has', async () => {
    const replies = [await add(ada), await add(ada), await add(bo)];
    const ids = replies.map(({ body }) => body.device_id);
    expect(new Set(ids).size).toBe(3);
    expect(replies[0]?.body).toEqual({ result: 'success', msg: '', device_id: expect.any(Number) });
  });

  test('Notifies the queues of its user, and no other user', async () => {
    const queues = await Promise.all([ada, ada, bo, service.owner].map((client) => client.register()));
    const { device_id } = (await add(ada)).body;
    const event = { id: expect.any(Number), type: 'device', op: 'add', device_id };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [event], [], []]);
  });

  test('Does not register it for notifications yet', async () => {
    const cy = await createUser(service, 'Cy');
    expect(await devicesOf(cy)).toEqual({});
    const { device_id } = (await add(cy)).body;
    expect(await devicesOf(cy)).toEqual({ [device_id]: NOTHING_KNOWN });
  });

  test('Keeps events equal to register for every user', async () => {
    await expectConsistentSnapshot(service, [ada, guest, service.owner], async () => {
      await add(ada);
      await add(guest);
    });
  });

  test('Works for fifty at most, also if they are added at once', async () => {
    const cy = await createUser(service, 'Cy');
    for (let count = 2; count < MAX_DEVICES; count++) await add(cy);
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => add(cy)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 400, 400]);
    expectRefusal(await add(cy), 'You cannot have more than 50 devices');
    expect(Object.keys(await devicesOf(cy))).toHaveLength(50);
  });
});

describe('Removing a device', () => {
  test('Notifies the queues of its user, and no other user', async () => {
    const { deviceId } = await addPhone(service, ada);
    const queues = await listenAll([ada, bo, service.owner]);
    const { body } = await remove(ada, deviceId);
    expect(body).toEqual({ result: 'success', msg: '' });
    const event = { id: expect.any(Number), type: 'device', op: 'remove', device_id: deviceId };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [], []]);
  });

  test('Leaves the others, registered or not', async () => {
    const cy = await createUser(service, 'Cy');
    const [first, second] = [await addPhone(service, cy), await addPhone(service, cy)];
    await expectConsistentSnapshot(service, [cy, bo, service.owner], () => remove(cy, first.deviceId));
    const device = expect.objectContaining({ push_token_id: second.tokenId });
    expect(await devicesOf(cy)).toEqual({ [second.deviceId]: device });
  });

  test('Ends a registration that waits for the relay', async () => {
    const cy = await createUser(service, 'Cy');
    const { deviceId } = await addPhone(service, cy);
    await remove(cy, deviceId);
    await service.settle();
    expect(await devicesOf(cy)).toEqual({});
  });

  test('Does not affect devices of others, with the same error as for missing devices', async () => {
    const { deviceId } = await addPhone(service, ada);
    expectRefusal(await remove(bo, deviceId), 'Invalid `device_id`');
    expectRefusal(await remove(bo, 999_999), 'Invalid `device_id`');
    expect(await devicesOf(ada)).toHaveProperty(String(deviceId));
  });

  test('Succeeds once', async () => {
    const { deviceId } = await addPhone(service, ada);
    const replies = await Promise.all([1, 2].map(() => remove(ada, deviceId)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});
