import type { World } from '#tests/conformance/world.ts';
import { Phone } from '#tests/harness/relay.ts';
import { numberedBytes } from '#tests/harness/steady-service.ts';

const MANY_DEVICES = 20;

/** A fresh device; there are few at a time, since a user may not have many. */
async function deviceOf({ caller }: World): Promise<number> {
  const { snapshot } = await caller.register({ fetch_event_types: ['device'] });
  // The first may be that of the world.
  const [, ...others] = Object.keys(snapshot.devices).map(Number);
  if (others.length > MANY_DEVICES)
    for (const device_id of others) await caller.post('/remove_client_device', { device_id });
  const { body } = await caller.post('/register_client_device');
  return body.device_id;
}

const tokenOf = async (
  { caller, nextNumber }: World,
  path: string,
  params: object = {},
): Promise<{ token: string }> => {
  const token = Buffer.from(`token ${nextNumber()}`).toString('base64');
  await caller.post(path, { token, ...params });
  return { token };
};

const newPhone = ({ nextNumber }: World): Phone => new Phone('fcm', numberedBytes('phone', nextNumber));

async function phoneOf(world: World): Promise<Phone> {
  const phone = newPhone(world);
  phone.deviceId = await deviceOf(world);
  await world.caller.post('/mobile_push/register', phone.fields);
  return phone;
}

/** One device that can be notified, and one whose token the relay finds dead. */
async function makePhones(world: World): Promise<void> {
  const [, dead] = [await phoneOf(world), await phoneOf(world)];
  await world.service.settle();
  world.relay.deadTokenIds.push(dead.tokenId);
}

const APP = { appid: 'org.example.App' };

export const pushSamples = {
  addApnsToken: () => ({ token: 'dG9rZW4=', ...APP }),
  addFcmToken: () => ({ token: 'token' }),
  registerClientDevice: async (world: World) => {
    await deviceOf(world);
    return {};
  },
  registerPushDevice: async (world: World) => {
    const phone = newPhone(world);
    phone.deviceId = await deviceOf(world);
    return phone.fields;
  },
  removeApnsToken: (world: World) => tokenOf(world, '/users/me/apns_device_token', APP),
  removeClientDevice: async (world: World) => ({ device_id: await deviceOf(world) }),
  removeFcmToken: (world: World) => tokenOf(world, '/users/me/android_gcm_reg_id'),
  sendOlderTestNotification: async (world: World) => {
    await makePhones(world);
    return {};
  },
  sendTestNotification: async (world: World) => {
    await makePhones(world);
    return {};
  },
};
