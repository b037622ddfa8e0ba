import { queueKeys } from '#shared/table/keys/queues.ts';
import type { World } from '#tests/simulation/world.ts';
import type { Listener } from './journal.ts';

/**
 * Whether a queue may live although its client got the error for an expired one: a poll had started to extend it in
 * time, and the network delivered that late. From then on it counts as a queue that its client has left.
 */
export async function wasExtendedInTime(world: World, listener: Listener): Promise<boolean> {
  const item = await world.services().table.find(queueKeys.queue(listener.queueId));
  const { expiredAtMs } = listener;
  // With two simultaneous polls, the other one has noticed.
  if (expiredAtMs === undefined) return true;
  const lives = Number(item?.expiresAtSeconds) * 1000 > expiredAtMs;
  if (!lives || Number(item?.touchedAtMs) >= expiredAtMs) return false;
  listener.expiredAtMs = undefined;
  return true;
}
