import { chunksOf } from '#shared/domain/chunks.ts';
import { updateDeviceChange } from '#shared/domain/push/changes.ts';
import { type ActiveDevice, listActive, type PushDevices } from '#shared/domain/push/device.ts';
import type { PushPayload } from '#shared/domain/push/payloads.ts';
import { commit, withFreshState } from '#shared/log/commit.ts';
import type { Relay, RelayRequest } from '#shared/runtime/relay.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getPushDevices } from '#shared/store/push/push-devices.ts';

/** The notification for one user's devices. */
export interface Notification {
  userId: number;
  devices: ActiveDevice[];
  payload: PushPayload;
}

const REQUESTS_PER_CALL = 100;

/**
 * Encrypts notifications for each device and sends them to the relay. Invalid tokens and those with
 * unreadable keys are dropped; returns their ids.
 * @throws RelayFailure
 */
export async function deliver(
  services: Services,
  relay: Relay,
  realmUuid: string,
  notifications: Notification[],
): Promise<Set<string>> {
  const { closeBox, openBox, sealingKey } = await import('#shared/push/push-box.ts');
  const sealing = sealingKey(await services.secret());
  const dead = new Set<string>();
  const requests: RelayRequest[] = [];
  for (const { devices, payload } of notifications) {
    const content = new TextEncoder().encode(JSON.stringify(payload));
    for (const device of devices) {
      const key = openBox(sealing, device.sealedKey);
      if (key) requests.push(toRequest(device, payload, closeBox(key, content)));
      else dead.add(device.tokenId);
    }
  }
  for (const some of chunksOf(requests, REQUESTS_PER_CALL))
    for (const tokenId of await relay.notify(realmUuid, some)) dead.add(tokenId);
  const owners = notifications.filter(({ devices }) => devices.some(({ tokenId }) => dead.has(tokenId)));
  for (const userId of new Set(owners.map((owner) => owner.userId))) await dropTokens(services, userId, dead);
  return dead;
}

/** Removes tokens from the devices, so that nothing is sent there and their clients register again. */
async function dropTokens(services: Services, userId: number, tokenIds: Set<string>): Promise<void> {
  const findDead = (all: PushDevices) => listActive(all).find(({ tokenId }) => tokenIds.has(tokenId));
  for (;;) {
    const isDone = await withFreshState(services, async () => {
      const all = await getPushDevices(services.table, userId);
      const device = findDead(all);
      if (device) await commit(services, updateDeviceChange(all, device, { tokenId: null }));
      return !device;
    });
    if (isDone) return;
  }
}

function toRequest({ tokenId, tokenKind, pushKeyId }: ActiveDevice, { type }: PushPayload, box: Uint8Array) {
  const encrypted = { push_key_id: pushKeyId, encrypted_data: Buffer.from(box).toString('base64') };
  const isQuiet = type === 'remove';
  if (tokenKind === 'fcm') {
    const fcm_priority = isQuiet ? ('normal' as const) : ('high' as const);
    return { token_id: tokenId, fcm_priority, payload: encrypted };
  }
  return {
    token_id: tokenId,
    http_headers: isQuiet
      ? { apns_priority: 5, apns_push_type: 'background' as const }
      : { apns_priority: 10, apns_push_type: 'alert' as const },
    payload: { ...encrypted, aps: isQuiet ? { 'content-available': 1 } : VISIBLE },
  };
}

/** The device replaces this text after it has decrypted the rest. */
const VISIBLE = { 'mutable-content': 1, alert: { title: 'New notification' }, sound: 'default' };
