import type { Change } from '#shared/domain/change.ts';
import { mayRead } from '#shared/domain/messages/access.ts';
import { isSamePlace, type PlacedMessage, type TopicPlace } from '#shared/domain/messages/move.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channel-views.ts';
import { findJob, listJobs, type StoredJob } from '#shared/store/jobs.ts';
import { listMessagesById } from '#shared/store/messages.ts';
import { isIn, listTopicMessages } from '#shared/store/topic-messages.ts';
import { getUser } from '#shared/store/users.ts';
import { Throttled } from '#shared/table/table.ts';
import { commit, StaleState, withFreshState } from './commit.ts';
import { finishStep } from './finish-step.ts';
import { type MoveOrder, moveChange } from './move-messages.ts';
import { takeBatch, WRITES_OF_FILES } from './take-batch.ts';

/** What the job `move-messages` holds. */
export interface MoveRest {
  order: MoveOrder;
  /** What was sent to the topic afterwards stays. */
  bounds: { from: number; to: number };
}

/** A request may carry out the moves of others for so long. */
const PATIENCE_MS = 15_000;

/**
 * Moves what is left of many messages, the oldest first, and returns the last change, which is not committed yet. A
 * run that is interrupted leaves the rest where it was. @throws StaleState, Throttled after the deadline
 */
export async function moveRest(
  services: Services,
  { order, bounds }: MoveRest,
  deadlineMs = Number.POSITIVE_INFINITY,
): Promise<Change | undefined> {
  const user = await getUser(services.table, order.userId);
  const views: ChannelViews = new Map();
  await loadChannelViews(services.table, user.userId, views, [order.from.channelId]);
  const all = await listTopicMessages(services, order.from, bounds);
  let left = all.filter((message) => mayRead(user, message, views.get(message.channelId)));
  while (left.length > 0) {
    const batch = takeBatch(left, order.text && WRITES_OF_FILES);
    left = left.slice(batch.length);
    const change = await moveChange(services, order, batch);
    if (left.length === 0) return change;
    await commit(services, change);
    if (services.clock.nowMs() > deadlineMs) throw new Throttled('Messages are still being moved');
  }
  return undefined;
}

/**
 * Carries out what is left of earlier moves from or to some topics. A later request for one of the topics would
 * otherwise miss the messages that are still on their way, and the earlier move would go on against it. Returns whether
 * there was anything to do. @throws Throttled while there is too much left
 */
export async function finishMoves(services: Services, places: TopicPlace[]): Promise<boolean> {
  const deadlineMs = services.clock.nowMs() + PATIENCE_MS;
  const pending = (await listJobs(services.table)).filter((job) => isMoveOf(job, places));
  for (const { jobId } of pending)
    await withFreshState(services, async () => {
      const job = await findJob(services.table, jobId);
      if (!job) return;
      const change = await moveRest(services, job.payload as unknown as MoveRest, deadlineMs);
      await finishStep(services, job, 0, change);
    });
  return pending.length > 0;
}

/** Carries out a move that is to take a message away. @throws StaleState where the message is elsewhere by now */
export async function finishMoveOf(services: Services, message: PlacedMessage): Promise<void> {
  await finishMoves(services, [message]);
  const [current] = await listMessagesById(services.table, [message.messageId]);
  if (!isIn(message, current)) throw new StaleState();
}

function isMoveOf({ type, payload }: StoredJob, places: TopicPlace[]): boolean {
  if (type !== 'move-messages') return false;
  const { order } = payload as unknown as MoveRest;
  return places.some((place) => isSamePlace(place, order.from) || isSamePlace(place, order.to));
}
