import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { updateDeviceChange } from '#shared/domain/push/changes.ts';
import { findDevice } from '#shared/domain/push/device.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { RelayFailure } from '#shared/runtime/relay.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getPushDevices, readNotifier } from '#shared/store/push/push-devices.ts';

/** Later the device has registered again. */
const MAX_AGE_SECONDS = 24 * 3600;

/**
 * Registers a device's token at the relay, with retries while it does not answer; then the device can be
 * notified, or its client gets the reason why not.
 */
export async function registerPushDevice(
  services: Services,
  payload: JobPayloads['register-push-device'],
): Promise<Change | undefined> {
  const { table, clock } = services;
  const all = await getPushDevices(table, payload.userId);
  const device = findDevice(all, payload.deviceId);
  if (device?.pendingTokenId !== payload.tokenId || device.errorCode !== null) return undefined;
  const { tokenGivenAtSeconds } = device;
  if (tokenGivenAtSeconds === null) throw new Error(`Token ${payload.tokenId} was given at no time`);
  const isExpired = toSeconds(clock.nowMs()) - tokenGivenAtSeconds > MAX_AGE_SECONDS;
  const errorCode = isExpired ? 'REQUEST_EXPIRED' : await tellRelay(services, payload);
  if (errorCode) return updateDeviceChange(all, device, { errorCode });
  const { tokenKind, tokenId } = payload;
  const registered = { tokenKind, tokenId, pendingTokenId: null };
  return updateDeviceChange(all, device, registered, await readNotifier(table));
}

/** Returns why the registration can never succeed. @throws RelayFailure if a retry may succeed */
async function tellRelay(
  { table, relay }: Services,
  payload: JobPayloads['register-push-device'],
): Promise<string | undefined> {
  if (!relay) throw new RelayFailure('refused', 'There is no relay any more');
  const { uuid } = await getOrganization(table);
  try {
    await relay.register({
      realm_uuid: uuid,
      token_id: payload.tokenId,
      bouncer_public_key: payload.relayPublicKey,
      encrypted_push_registration: payload.encryptedRegistration,
    });
    return undefined;
  } catch (failure) {
    if (failure instanceof RelayFailure && failure.kind === 'rejected') return failure.code;
    throw failure;
  }
}
