import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { addPhone, attachRelay } from '#tests/harness/relay.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
await attachRelay(service);
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const remove = (client: Client, device_id: unknown) => client.post('/remove_client_device', { device_id });
const devicesOf = async (client: Client) =>
  (await client.register({ fetch_event_types: ['device'] })).snapshot.devices;

describe('Removing a device', () => {
  test('Notifies the queues of its user, and no other user', async () => {
    const { deviceId } = await addPhone(service, ada);
    const queues = await Promise.all([ada, bo, service.owner].map((client) => client.listen()));
    const { body } = await remove(ada, deviceId);
    expect(body).toEqual({ result: 'success', msg: '' });
    const event = { id: expect.any(Number), type: 'device', op: 'remove', device_id: deviceId };
    expect(await Promise.all(queues.map((queue) => queue.drain()))).toEqual([[event], [], []]);
  });

  test('Leaves the others, registered or not', async () => {
    const cy = await createUser(service, 'Cy');
    const [first, second] = [await addPhone(service, cy), await addPhone(service, cy)];
    await expectConsistentSnapshot(service, [cy, bo, service.owner], () => remove(cy, first.deviceId));
    expect(await devicesOf(cy)).toEqual({
      [second.deviceId]: expect.objectContaining({ push_token_id: second.tokenId }),
    });
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
    const statuses = (await Promise.all([1, 2].map(() => remove(ada, deviceId)))).map((one) => one.status);
    expect(statuses.sort()).toEqual([200, 400]);
  });
});
