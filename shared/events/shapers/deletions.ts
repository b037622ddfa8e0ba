import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import { wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import { isGuest, reachesChannel } from '#shared/domain/users/user.ts';
import type { EventPayload } from '../catalogue.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';
import type { Viewer } from '../viewer.ts';

/** The stored form of deleted channel messages, with the data that identifies their holders. */
export interface ChannelDeletion extends EventPayload {
  type: 'delete_message';
  message_type: 'stream';
  stream_id: number;
  topic: string;
  message_ids: number[];
  /**
   * Whether all readers of the channel could read the messages, and whether those are all members or
   * everyone.
   */
  isHistoryPublic: boolean;
  isPublic: boolean;
  isWebPublic: boolean;
  /** The arrival positions of messages that came from other channels. */
  arrivals?: Record<string, number>;
}

const isChannelDeletion = (payload: EventPayload): payload is ChannelDeletion =>
  payload.message_type === 'stream';

/** Users learn only of deleted messages that they could read; old clients get one event per message. */
export const shapeDeletion: Shaper = (payload, { filter, viewer }) => {
  const ids = isChannelDeletion(payload)
    ? payload.message_ids.filter((id) => couldRead(payload, viewer, id))
    : viewer.user.onlyChannels
      ? []
      : (payload.message_ids as number[]);
  const {
    message_ids: _ids,
    isHistoryPublic: _history,
    isPublic: _public,
    isWebPublic: _webPublic,
    arrivals: _arrivals,
    ...stored
  } = payload;
  const isHidden = stored.topic === '' && !hasCapability(filter, 'empty_topic_name');
  const rest = isHidden ? { ...stored, topic: EMPTY_TOPIC_DISPLAY_NAME } : stored;
  if (ids.length === 0) return [];
  if (hasCapability(filter, 'bulk_message_deletion')) return [{ ...rest, message_ids: ids }];
  return ids.map((id) => ({ ...rest, message_id: id }));
};

function couldRead(payload: ChannelDeletion, { user, subscriptions }: Viewer, messageId: number): boolean {
  if (!reachesChannel(user, payload.stream_id)) return false;
  const subscription = subscriptions.get(payload.stream_id);
  if (wasSubscribedAt(subscription, payload.arrivals?.[messageId] ?? messageId)) return true;
  if (!payload.isHistoryPublic) return false;
  if (payload.isWebPublic || (payload.isPublic && !isGuest(user))) return true;
  return subscription?.intervals.at(-1)?.[1] === null;
}
