import { BadEventQueueId, ReplyTooLarge } from '#shared/domain/errors.ts';
import { countArrears } from '#shared/domain/snapshot/arrears.ts';
import { INTERNAL_QUEUE_REMOVED } from '#shared/events/catalogue.ts';
import { endOfPosition, MAX_ARREAR_EVENTS } from '#shared/events/event-id.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { EVENTS_PER_ARREAR } from '#shared/events/shapers/arrears.ts';
import type { Services } from '#shared/runtime/services.ts';
import { arrearsItem, nothingOwed, type Owed } from '#shared/store/queue-arrears.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { commit, retryConflicts } from './commit.ts';

/** One client's event queue: who reads the log, from where, and in which shape. */
export interface Queue {
  queueId: string;
  userId: number;
  filter: QueueFilter;
  idleTimeoutSeconds: number;
  /** The queue is dead from here on, whether or not DynamoDB has deleted it. */
  expiresAtSeconds: number;
  /** The highest event id that the client has acknowledged. */
  ackedId: number;
  /** Every entry up to here was looked at, and held nothing for this queue after `ackedId`. */
  scannedPosition: number;
  /** When the newest message up to there was written that the owner got, or was about to get. */
  activeMs: number;
  lastHeartbeatMs: number;
  lastHeartbeatId: number;
  touchedAtMs: number;
  /** What the queue tells first, beginning at its position: so many things. Absent where there is nothing. */
  arrears?: { position: number; count: number };
}

/** A poll that is under way, or its reply on the way, must not lose its queue. */
const EXPIRY_MARGIN_SECONDS = 60;
const QUEUE_ID = /^[0-9a-f-]{36}$/;

interface QueueOwner {
  userId: number;
  filter: QueueFilter;
  idleTimeoutSeconds: number;
}

/** Creates a queue that delivers what comes after a position, and before that what its snapshot lacks. */
export async function createQueue(
  services: Services,
  owner: QueueOwner,
  startPosition: number,
  owed: Owed = nothingOwed,
): Promise<Queue> {
  const queue = newQueue(services, owner, startPosition);
  const count = countArrears(owed.arrears);
  if (count * EVENTS_PER_ARREAR > MAX_ARREAR_EVENTS) throw new ReplyTooLarge(true);
  if (count > 0) {
    queue.arrears = { position: startPosition, count };
    await services.table.write({ kind: 'put', item: arrearsItem(services, queue.queueId, owed) });
  }
  await services.table.write({ kind: 'put', item: { ...keys.queue(queue.queueId), ...queue } });
  return queue;
}

/** A queue that is not in the table yet. */
export function newQueue({ clock, ids }: Services, owner: QueueOwner, startPosition: number): Queue {
  const nowMs = clock.nowMs();
  return {
    queueId: ids.uuid(),
    ...owner,
    expiresAtSeconds: expiry(owner.idleTimeoutSeconds, nowMs),
    ackedId: endOfPosition(startPosition),
    scannedPosition: startPosition,
    activeMs: nowMs,
    lastHeartbeatMs: nowMs,
    lastHeartbeatId: 0,
    touchedAtMs: nowMs,
  };
}

/** @throws BadEventQueueId when the queue is unknown, expired, or someone else's */
export async function getQueue(services: Services, userId: number, queueId: string): Promise<Queue> {
  const item = QUEUE_ID.test(queueId) ? await services.table.find(keys.queue(queueId)) : undefined;
  const queue = item as unknown as Queue | undefined;
  if (!queue || queue.userId !== userId || queue.expiresAtSeconds * 1000 <= services.clock.nowMs())
    throw new BadEventQueueId(queueId);
  // Queues of earlier releases have none.
  return { ...queue, activeMs: queue.activeMs ?? 0 };
}

/**
 * Keeps the queue alive and remembers how far it has come, at most once per interval unless `force` asks. Says whether
 * it did.
 */
export async function touchQueue(services: Services, queue: Queue, force: boolean): Promise<boolean> {
  const nowMs = services.clock.nowMs();
  if (!force && nowMs - queue.touchedAtMs < services.config.queueTouchIntervalMs) return false;
  const { ackedId, scannedPosition, activeMs, lastHeartbeatMs, lastHeartbeatId, arrears } = queue;
  const expiresAtSeconds = expiry(queue.idleTimeoutSeconds, nowMs);
  const touch = {
    kind: 'update',
    key: keys.queue(queue.queueId),
    set: {
      ackedId,
      scannedPosition,
      activeMs,
      lastHeartbeatMs,
      lastHeartbeatId,
      expiresAtSeconds,
      touchedAtMs: nowMs,
      ...(arrears && { arrears }),
    },
    condition: { exists: true, above: { expiresAtSeconds: Math.floor(nowMs / 1000) } },
  } as const;
  try {
    await retryConflicts(services, () => services.table.write(touch));
    queue.touchedAtMs = nowMs;
    return true;
  } catch (failure) {
    if (failure instanceof ConditionFailed) throw new BadEventQueueId(queue.queueId);
    throw failure;
  }
}

/** The queue is gone at once; an entry of the log tells polls that are under way. */
export async function removeQueue(services: Services, { queueId, userId }: Queue): Promise<void> {
  await commit(services, {
    writes: [{ kind: 'delete', key: keys.queue(queueId) }],
    events: [
      { audience: { kind: 'users', userIds: [userId] }, payload: { type: INTERNAL_QUEUE_REMOVED, queueId } },
    ],
  });
}

const expiry = (idleTimeoutSeconds: number, nowMs: number): number =>
  Math.ceil(nowMs / 1000) + idleTimeoutSeconds + EXPIRY_MARGIN_SECONDS;
