import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { Phone } from '#tests/harness/relay.ts';

export const register = (client: Client, params: Params) => client.post('/mobile_push/register', params);

export const devicesOf = async (client: Client) =>
  (await client.register({ fetch_event_types: ['device'] })).snapshot.devices;

export const deviceOf = async (client: Client, { deviceId }: Phone) => (await devicesOf(client))[deviceId];

export const expectNoDevice = (reply: Reply): void =>
  expectRefusal(reply, 'No active registered push device', { code: 'NO_ACTIVE_PUSH_DEVICE' });

/** A device that is not registered yet. */
export async function newPhone(owner: Client): Promise<Phone> {
  const phone = new Phone();
  phone.deviceId = (await owner.post('/register_client_device')).body.device_id;
  return phone;
}

export const updateOf = ({ deviceId }: Phone, changed: object) => ({
  id: expect.any(Number),
  type: 'device',
  op: 'update',
  device_id: deviceId,
  ...changed,
});
