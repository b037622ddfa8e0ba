import type { Change } from '#shared/domain/change.ts';
import { mayRead } from '#shared/domain/messages/access.ts';
import type { PlacedMessage } from '#shared/domain/messages/moving/move.ts';
import type { MoveRest } from '#shared/domain/messages/moving/move-order.ts';
import { isSamePlace, type TopicPlace } from '#shared/domain/messages/topic.ts';
import { Conflict, commit, withFreshState } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { findJob, listJobs, type StoredJob } from '#shared/store/log/jobs.ts';
import { listMessagesById } from '#shared/store/messages/messages.ts';
import { isIn, listTopicMessages } from '#shared/store/topics/topic-messages.ts';
import { getUser } from '#shared/store/users/users.ts';
import { Throttled } from '#shared/table/table.ts';
import { finishStep } from './finish-step.ts';
import { moveChange } from './move-messages.ts';
import { takeBatch, WRITES_OF_FILES } from './take-batch.ts';

/** The time that a request may spend on finishing earlier moves. */
const PATIENCE_MS = 15_000;

/**
 * Moves the remaining messages, oldest first, and returns the last change uncommitted. After an interruption
 * the rest is still in its old topic.
 * @throws Conflict, Throttled after the deadline
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
 * Finishes earlier moves from or to these topics: a later request would miss the messages that they have not moved
 * yet. Returns whether it moved any.
 * @throws Throttled when too much is left
 */
export async function finishMoves(services: Services, places: TopicPlace[]): Promise<boolean> {
  const deadlineMs = services.clock.nowMs() + PATIENCE_MS;
  const pending = (await listJobs(services.table)).filter((job) => isMoveOf(job, places));
  for (const { jobId } of pending)
    await withFreshState(services, async () => {
      const job = await findJob(services.table, jobId);
      if (job?.type !== 'move-messages') return;
      const change = await moveRest(services, job.payload, deadlineMs);
      await finishStep(services, job, 0, change);
    });
  return pending.length > 0;
}

/** Finishes a move that is about to take a message away. @throws Conflict when the message has been moved */
export async function finishMoveOf(services: Services, message: PlacedMessage): Promise<void> {
  await finishMoves(services, [message]);
  const [current] = await listMessagesById(services.table, [message.messageId]);
  if (!isIn(message, current)) throw new Conflict();
}

function isMoveOf(job: StoredJob, places: TopicPlace[]): boolean {
  if (job.type !== 'move-messages') return false;
  const { order } = job.payload;
  return places.some((place) => isSamePlace(place, order.from) || isSamePlace(place, order.to));
}
