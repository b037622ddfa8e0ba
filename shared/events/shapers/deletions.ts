import { showTopic } from '#shared/domain/messages/topic.ts';
import { wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import { isGuest, reachesChannel } from '#shared/domain/users/user.ts';
import type { WireEventOf } from '../catalogue.ts';
import type { DeletedPlace } from '../event-fields.ts';
import { hasCapability, type QueueFilter } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';
import type { ChannelDeletion } from '../stored-fields.ts';
import type { Viewer } from '../viewer.ts';

/** Users learn only of deleted messages that they could read; old clients get one event per message. */
export const shapeDeletion: Shaper<'delete_message'> = (payload, { filter, viewer }) => {
  if (payload.message_type === 'private')
    return viewer.user.onlyChannels
      ? []
      : deletionEvents({ message_type: 'private' }, payload.message_ids, filter);
  const { message_type, stream_id, message_ids } = payload;
  const topic = showTopic(payload.topic, hasCapability(filter, 'empty_topic_name'));
  const ids = message_ids.filter((id) => couldRead(payload, viewer, id));
  return deletionEvents({ message_type, stream_id, topic }, ids, filter);
};

/** The event of deleted messages of one place; one for each message if the client does not support several. */
export function deletionEvents(
  place: DeletedPlace,
  messageIds: number[],
  filter: QueueFilter,
): WireEventOf<'delete_message'>[] {
  const deletion = { type: 'delete_message' as const, ...place };
  if (!hasCapability(filter, 'bulk_message_deletion'))
    return messageIds.map((id) => ({ ...deletion, message_id: id }));
  return messageIds.length > 0 ? [{ ...deletion, message_ids: messageIds }] : [];
}

function couldRead(payload: ChannelDeletion, { user, subscriptions }: Viewer, messageId: number): boolean {
  if (!reachesChannel(user, payload.stream_id)) return false;
  const subscription = subscriptions.get(payload.stream_id);
  if (wasSubscribedAt(subscription, payload.arrivals?.[messageId] ?? messageId)) return true;
  if (!payload.isHistoryPublic) return false;
  if (payload.isWebPublic || (payload.isPublic && !isGuest(user))) return true;
  return subscription?.intervals.at(-1)?.[1] === null;
}
