import { RateLimitHit } from '#shared/domain/errors.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { User } from '#shared/domain/users/user.ts';
import { groupsThatDecide, isInAudience } from '#shared/events/viewer.ts';
import { readHead } from '#shared/log/head.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listEntries, readCounter } from '#shared/store/log/log.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import type { SnapshotRequest } from './sections/section.ts';
import { loadSections } from './snapshot-sections.ts';

export interface Snapshot {
  /** Includes everything up to here, and nothing later. */
  position: number;
  fields: Record<string, unknown>;
}

const ATTEMPTS = 25;
/** Even the shortest pauses of all attempts together outlast the time after which a hole is sealed. */
const PAUSE_MS = 100;
const LEAST_PAUSE = 0.5;

/**
 * The data of register with the position that it is true for: a queue that starts there misses nothing and
 * repeats nothing. Messages are cut at the position; if any other state of the caller changed during the
 * reads, it is read again.
 */
export async function takeSnapshot(services: Services, request: SnapshotRequest): Promise<Snapshot> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const head = await readHead(services);
    const { position } = head;
    const caller = await getCurrentUser(services, request.caller.userId);
    const { fields, subscriptions } = await loadSections(services, { ...request, caller }, head);
    if (!(await hasMoved(services, caller, subscriptions, position))) return { position, fields };
    await services.clock.sleep(PAUSE_MS * (LEAST_PAUSE + (1 - LEAST_PAUSE) * services.ids.fraction()));
  }
  throw new RateLimitHit(1);
}

/**
 * Whether the loaded state may include changes beyond the position, whether visible already or behind a hole.
 */
async function hasMoved(
  services: Services,
  user: User,
  subscriptions: Map<number, Subscription>,
  position: number,
): Promise<boolean> {
  const counter = await readCounter(services.table);
  if (counter === position) return false;
  const entries = await listEntries(services.table, position + 1, counter);
  const events = entries.flatMap((entry) => entry.events);
  await learnMemberships(services.table, user, groupsThatDecide(events));
  return entries.some((entry) =>
    entry.events.some(({ audience }) => isInAudience(audience, { user, subscriptions }, entry.position)),
  );
}
