import { BadEventQueueId, ReplyTooLarge } from '#shared/domain/errors.ts';
import { countDeferred } from '#shared/domain/snapshot/deferred.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { endOfPosition, MAX_DEFERRED_EVENTS } from '#shared/events/event-id.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { EVENTS_PER_DEFERRED_THING } from '#shared/events/shapers/deferred.ts';
import { INTERNAL_QUEUE_REMOVED } from '#shared/events/stored-fields.ts';
import { commit, retryConflicts } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type Deferral, deferredItem, nothingDeferred } from '#shared/store/log/deferred-things.ts';
import { queueKeys } from '#shared/table/keys/queues.ts';
import { ConditionFailed, recordOf } from '#shared/table/table.ts';

/**
 * One client's event queue as a value: who reads the log, from where, and in which format. A poll computes
 * the next value and saves it from time to time.
 */
export interface Queue {
  readonly queueId: string;
  readonly userId: number;
  readonly filter: QueueFilter;
  /** The API token that registered the queue; another token may not use it. */
  readonly tokenId?: number;
  readonly idleTimeoutSeconds: number;
  /** The queue is dead after this, whether or not DynamoDB has deleted it. */
  readonly expiresAtSeconds: number;
  /** The highest event id that the client has acknowledged. */
  readonly ackedId: number;
  /** All entries up to here have been read and had nothing for this queue after `ackedId`. */
  readonly scannedPosition: number;
  /** The time of the newest message up to there that the owner got, or of a typing notification. */
  readonly activeMs: number;
  readonly lastHeartbeatMs: number;
  readonly lastHeartbeatId: number;
  /** When the queue was last saved. */
  readonly touchedAtMs: number;
  /** The deferred events: their number, and the position at which the queue starts. Absent without any. */
  readonly deferred?: { readonly position: number; readonly count: number };
  /** Lets the client open a socket for the queue; absent unless it asked for one. */
  readonly socket?: SocketRight;
}

/** What entitles a client to open a socket: its token, and the credentials with which it registered. */
export interface SocketRight {
  readonly digest: string;
  readonly keyVersion: number;
  readonly sessionDigest?: string;
}

/** What decides about the events of a queue. */
export type ObservedQueue = Pick<Queue, 'queueId' | 'userId' | 'filter' | 'ackedId'>;

/** A running poll, or a reply under way, must not lose its queue. */
const EXPIRY_MARGIN_SECONDS = 60;
/** After this many irrelevant positions the cursor is saved: a write costs less than reading them again. */
const POSITIONS_WORTH_A_WRITE = 100;
const QUEUE_ID = /^[0-9a-f-]{36}$/;

/** The table keeps `deferred` under the name of earlier releases. */
type StoredQueue = Omit<Queue, 'deferred'> & { arrears?: Queue['deferred'] };

interface QueueOwner {
  userId: number;
  filter: QueueFilter;
  tokenId?: number;
  idleTimeoutSeconds: number;
  socket?: SocketRight;
}

/** Creates a queue that starts after a position, preceded by what its snapshot lacks. */
export async function createQueue(
  services: Services,
  owner: QueueOwner,
  startPosition: number,
  deferral: Deferral = nothingDeferred,
): Promise<Queue> {
  const count = countDeferred(deferral.deferred);
  if (count * EVENTS_PER_DEFERRED_THING > MAX_DEFERRED_EVENTS) throw new ReplyTooLarge(true);
  const queue = newQueue(services, owner, startPosition);
  const deferred = { position: startPosition, count };
  if (count > 0)
    await services.table.write({ kind: 'put', item: deferredItem(services, queue.queueId, deferral) });
  const item = { ...queueKeys.queue(queue.queueId), ...queue, ...(count > 0 && { arrears: deferred }) };
  await services.table.write({ kind: 'put', item });
  return count > 0 ? { ...queue, deferred } : queue;
}

/** A queue that is not stored yet. */
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

/** @throws BadEventQueueId when the queue is unknown, expired, or another user's */
export async function getQueue(services: Services, userId: number, queueId: string): Promise<Queue> {
  const queue = await getQueueOfAnyone(services, queueId);
  if (queue.userId !== userId) throw new BadEventQueueId(queueId);
  return queue;
}

/** A queue of the caller. A caller with an API token has only the queues of that token. @throws BadEventQueueId */
export async function getCallersQueue(
  services: Services,
  { userId, token }: Account,
  queueId: string,
): Promise<Queue> {
  const queue = await getQueue(services, userId, queueId);
  if (token && queue.tokenId !== token.tokenId) throw new BadEventQueueId(queueId);
  return queue;
}

/** For callers who prove in another way that it is theirs. @throws BadEventQueueId */
export async function getQueueOfAnyone(services: Services, queueId: string): Promise<Queue> {
  const item = QUEUE_ID.test(queueId) ? await services.table.find(queueKeys.queue(queueId)) : undefined;
  const queue = item && recordOf<StoredQueue>(item);
  if (!queue || queue.expiresAtSeconds * 1000 <= services.clock.nowMs()) throw new BadEventQueueId(queueId);
  const { arrears, ...fields } = queue;
  // Queues of earlier releases have no `activeMs`.
  return { ...fields, activeMs: queue.activeMs ?? 0, ...(arrears && { deferred: arrears }) };
}

/**
 * Saves the queue when its life must be extended, or when a poll has come far since it was `saved`. Returns
 * the stored value.
 */
export async function saveIfDue(
  services: Services,
  queue: Queue,
  saved: Queue,
  { isLast }: { isLast: boolean },
): Promise<Queue> {
  const isFar = queue.scannedPosition - saved.scannedPosition >= POSITIONS_WORTH_A_WRITE;
  const ageMs = services.clock.nowMs() - saved.touchedAtMs;
  const isDue = (isLast && isFar) || ageMs >= services.config.queueTouchIntervalMs;
  return isDue ? saveQueue(services, queue) : saved;
}

/**
 * Extends the queue's life and stores its cursor. A life that is longer already, for the sake of a socket, stays
 * so.
 * @throws BadEventQueueId when the queue no longer exists
 */
export async function saveQueue(
  services: Services,
  queue: Queue,
  expiresAtSeconds = expiry(queue.idleTimeoutSeconds, services.clock.nowMs()),
): Promise<Queue> {
  const nowMs = services.clock.nowMs();
  const { ackedId, scannedPosition, activeMs, lastHeartbeatMs, lastHeartbeatId, deferred } = queue;
  const set = {
    ackedId,
    scannedPosition,
    activeMs,
    lastHeartbeatMs,
    lastHeartbeatId,
    expiresAtSeconds,
    touchedAtMs: nowMs,
    ...(deferred && { arrears: deferred }),
  };
  const update = {
    kind: 'update',
    key: queueKeys.queue(queue.queueId),
    set,
    condition: {
      exists: true,
      above: { expiresAtSeconds: Math.floor(nowMs / 1000) },
      belowOrAbsent: { expiresAtSeconds: expiresAtSeconds + 1 },
    },
  } as const;
  try {
    await retryConflicts(services, () => services.table.write(update));
    return { ...queue, expiresAtSeconds, touchedAtMs: nowMs };
  } catch (failure) {
    if (!(failure instanceof ConditionFailed)) throw failure;
    const longer = Number(failure.existing?.expiresAtSeconds ?? 0);
    if (longer > expiresAtSeconds) return saveQueue(services, queue, longer);
    throw new BadEventQueueId(queue.queueId);
  }
}

/** Deletes the queue at once; a log entry notifies running polls. */
export async function removeQueue(services: Services, { queueId, userId }: Queue): Promise<void> {
  await commit(services, {
    writes: [{ kind: 'delete', key: queueKeys.queue(queueId) }],
    events: [
      { audience: { kind: 'users', userIds: [userId] }, payload: { type: INTERNAL_QUEUE_REMOVED, queueId } },
    ],
  });
}

/** When a queue ends that no one uses after this time. */
export const expiry = (idleTimeoutSeconds: number, nowMs: number): number =>
  Math.ceil(nowMs / 1000) + idleTimeoutSeconds + EXPIRY_MARGIN_SECONDS;
