import type { Change } from '#shared/domain/change.ts';
import { mayRead } from '#shared/domain/messages/access.ts';
import { commit } from '#shared/log/commit.ts';
import { type MoveOrder, moveChange } from '#shared/log/move-messages.ts';
import { takeBatch, WRITES_OF_FILES } from '#shared/log/take-batch.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channel-views.ts';
import { listTopicMessages } from '#shared/store/topic-messages.ts';
import { getUser } from '#shared/store/users.ts';

interface Payload {
  order: MoveOrder;
  /** What was sent to the topic afterwards stays. */
  bounds: { from: number; to: number };
}

/** Moves what is left of many messages, the oldest first. Whoever is interrupted finds the rest where it was. */
export async function moveMessages(
  services: Services,
  { order, bounds }: Payload,
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
  }
  return undefined;
}
