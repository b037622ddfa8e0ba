import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { requireDevice } from '#shared/domain/push/changes.ts';
import type { PushDevice } from '#shared/domain/push/device.ts';
import {
  type GivenKey,
  readRegistration,
  registrationChange,
  type SealedKey,
} from '#shared/domain/push/registration.ts';
import { tokenKinds } from '#shared/domain/push/token.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getPushDevices } from '#shared/store/push/push-devices.ts';

/**
 * Registers a device for encrypted notifications, or changes its key or token. The relay is informed
 * afterwards.
 */
export const registerPushDevice = endpoint({
  route: 'POST /mobile_push/register',
  summary: 'Register a device for push notifications',
  allow: 'human',
  needs: ['useOwn'],
  params: {
    device_id: json(z.int(), 'The device'),
    push_key_id: optional(json(z.int(), 'The device’s id for the key; 32 bits')),
    push_key: optional(
      text(
        z.string(),
        'The key to encrypt with, in Base64: the byte 0x31, then the 32 bytes of a secretbox key',
      ),
    ),
    token_kind: optional(text(z.enum(tokenKinds), 'The service of the token')),
    token_id: optional(text(z.string(), 'The id of the token for device and relay: 8 bytes in Base64')),
    bouncer_public_key: optional(
      text(z.string(), 'The key of the relay that the registration is encrypted with'),
    ),
    encrypted_push_registration: optional(
      text(z.string(), 'The token itself, for the relay alone, in Base64'),
    ),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['device/update'],
  uses: { table: 'write', bus: true, secret: true },
  async handle({ device_id: deviceId, ...input }, { services, caller }) {
    if (!services.relay) throw new BadRequest('Server is not configured to use push notification service.');
    const { key, token } = readRegistration(input);
    const all = await getPushDevices(services.table, caller.userId);
    const sealed = key && (await seal(services, key, requireDevice(all, deviceId)));
    const nowSeconds = toSeconds(services.clock.nowMs());
    const change = registrationChange(all, deviceId, { key: sealed, token }, nowSeconds);
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(registerPushDevice, awsServices);

async function seal(services: Services, input: GivenKey, device: PushDevice): Promise<SealedKey> {
  const { closeBox, openBox, sealingKey } = await import('#shared/push/push-box.ts');
  const { pushKeyId, pushKey } = input;
  const sealing = sealingKey(await services.secret());
  const known = device.sealedKey && openBox(sealing, device.sealedKey);
  const isKnown = device.pushKeyId === pushKeyId && !!known && Buffer.from(known).equals(pushKey);
  return { pushKeyId, sealedKey: closeBox(sealing, pushKey), isKnown };
}
