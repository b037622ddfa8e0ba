import type { Services } from '#shared/runtime/services.ts';
import { readNotifier } from '#shared/store/push-devices.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Item } from '#shared/table/table.ts';
import { retryConflicts } from '../commit.ts';

/** Longer than a batch takes. A worker that died holds the others up for as long. */
const CLAIM_MS = 60_000;

/** The right to notify devices of what follows a position of the log. */
export interface Claim {
  claimId: string;
  position: number;
}

/** One worker at a time; undefined while another is at work, and while there is no device. */
export async function claimNotifier(services: Services): Promise<Claim | undefined> {
  const nowMs = services.clock.nowMs();
  const { activeDevices = 0, position, claimedUntilMs } = await readNotifier(services.table);
  if (activeDevices === 0 || claimedUntilMs > nowMs) return undefined;
  const claimId = services.ids.writeId();
  // Another may have come and gone since the state was read: then the position is not where the work begins.
  const expected = { claimedUntilMs, position };
  const isOurs = await update(services, { claimId, claimedUntilMs: nowMs + CLAIM_MS }, expected);
  return isOurs ? { claimId, position } : undefined;
}

/** Devices were notified up to here. False when another worker has taken over meanwhile. */
export const advanceNotifier = (services: Services, { claimId }: Claim, position: number): Promise<boolean> =>
  update(services, { position, claimedUntilMs: services.clock.nowMs() + CLAIM_MS }, { claimId });

/** The next worker need not wait. */
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
