import { retryConflicts } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readNotifier } from '#shared/store/push/push-devices.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Item } from '#shared/table/table.ts';

/** Longer than a batch takes. A crashed worker blocks the others for this long. */
const CLAIM_MS = 60_000;

/** The right to send notifications for entries after a log position. */
export interface Claim {
  claimId: string;
  position: number;
}

/** Claims the work for one worker; undefined while another is at work, and without devices. */
export async function claimNotifier(services: Services): Promise<Claim | undefined> {
  const nowMs = services.clock.nowMs();
  const { activeDevices = 0, position, claimedUntilMs } = await readNotifier(services.table);
  if (activeDevices === 0 || claimedUntilMs > nowMs) return undefined;
  const claimId = services.ids.writeId();
  // Another worker may have finished since the state was read; the position would then be outdated.
  const expected = { claimedUntilMs, position };
  const isOurs = await update(services, { claimId, claimedUntilMs: nowMs + CLAIM_MS }, expected);
  return isOurs ? { claimId, position } : undefined;
}

/** Records that notifications were sent up to here. False when another worker has taken over. */
export const advanceNotifier = (services: Services, { claimId }: Claim, position: number): Promise<boolean> =>
  update(services, { position, claimedUntilMs: services.clock.nowMs() + CLAIM_MS }, { claimId });

/** Lets the next worker start at once. */
export const releaseNotifier = (services: Services, { claimId }: Claim): Promise<boolean> =>
  update(services, { claimedUntilMs: 0 }, { claimId });

async function update(services: Services, set: Item, expected: Item): Promise<boolean> {
  const isFirst = expected.claimedUntilMs === 0;
  const condition = isFirst ? { belowOrAbsent: { claimedUntilMs: 1 } } : { equals: expected };
  try {
    const write = { kind: 'update', key: keys.notifier(), set, condition } as const;
    await retryConflicts(services, () => services.table.write(write));
    return true;
  } catch (failure) {
    if (failure instanceof ConditionFailed) return false;
    throw failure;
  }
}
