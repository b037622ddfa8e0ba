import { hasReceived } from '#shared/domain/messages/access.ts';
import { arrivalOf, type Placed } from '#shared/domain/messages/moving/move-history.ts';
import { showTopic } from '#shared/domain/messages/topic.ts';
import { wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import { isGuest, reachesChannel } from '#shared/domain/users/user.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';
import type { ChannelThen, Reach } from '../stored-fields.ts';
import type { Viewer } from '../viewer.ts';
import { deletionEvents } from './deletions.ts';

/** The effect of a change on a user who has a message, or would read it in its channel. */
type Fate = 'unknown' | 'changed' | 'leftBehind' | 'lost';

/**
 * Users who have a message get the change. For users who may no longer read it, it is deleted; for users who
 * may, but were not subscribed when it arrived, it is no longer unread.
 */
export const shapeMessageUpdate: Shaper<'update_message'> = (payload, shaping) => {
  const { filter, viewer, updatedFlags, position } = shaping;
  const { reach, mentionsBefore: _before, ...update } = payload;
  const flags = { flags: updatedFlags ?? [] };
  // Without it the change is of a direct message.
  if (!reach && viewer.user.onlyChannels) return [];
  if (!reach) return [{ ...update, ...flags }];
  const allowsEmptyTopic = hasCapability(filter, 'empty_topic_name');
  const show = (topic: unknown): string => showTopic(String(topic), allowsEmptyTopic);
  const fates = Map.groupBy(update.message_ids, (id) => fateOf(id, reach, viewer, position));
  const leftBehind = fates.get('leftBehind') ?? [];
  const changed = [...(fates.get('changed') ?? []), ...leftBehind].sort((a, b) => a - b);
  const lost = fates.get('lost') ?? [];
  const place = {
    message_type: 'stream' as const,
    stream_id: reach.from.channelId,
    topic: show(update.orig_subject),
  };
  return [
    ...(changed.length > 0
      ? [
          {
            ...update,
            message_id: changed.includes(update.message_id) ? update.message_id : (changed[0] ?? 0),
            message_ids: changed,
            ...(update.orig_subject !== undefined && { orig_subject: show(update.orig_subject) }),
            ...(update.subject !== undefined && { subject: show(update.subject) }),
            ...flags,
          },
        ]
      : []),
    ...(leftBehind.length > 0
      ? [
          {
            type: 'update_message_flags' as const,
            op: 'add' as const,
            operation: 'add' as const,
            flag: 'read',
            messages: leftBehind,
            all: false,
          },
        ]
      : []),
    ...deletionEvents(place, lost, filter),
  ];
};

function fateOf(messageId: number, { from, to, journeys }: Reach, viewer: Viewer, position: number): Fate {
  const journey = journeys?.[messageId];
  const placed: Placed = { messageId, channelId: from.channelId, ...(journey && { journey }) };
  const { subscriptions } = viewer;
  const wasReceived = hasReceived(
    viewer.user,
    { kind: 'channel', ...unknownFacts, ...placed },
    subscriptions,
  );
  const isIn = ({ channelId }: ChannelThen): boolean =>
    wasSubscribedAt(subscriptions.get(channelId), position);
  const hasIt = wasReceived || isIn(from) || (to !== undefined && isIn(to));
  if (!hasIt || !couldRead(from, arrivalOf(placed), viewer, position)) return 'unknown';
  if (!to) return 'changed';
  if (!couldRead(to, position, viewer, position)) return 'lost';
  return isIn(to) ? 'changed' : 'leftBehind';
}

const unknownFacts = { topic: '', senderId: 0, isReadBySender: false };

/** `mayRead` at the time of the event. */
function couldRead(channel: ChannelThen, arrival: number, viewer: Viewer, position: number): boolean {
  if (!reachesChannel(viewer.user, channel.channelId)) return false;
  const subscription = viewer.subscriptions.get(channel.channelId);
  const isOpen = channel.isWebPublic || (!channel.isPrivate && !isGuest(viewer.user));
  const wasThere = wasSubscribedAt(subscription, arrival);
  if (isOpen || wasSubscribedAt(subscription, position)) return channel.isHistoryPublic || wasThere;
  return !channel.isPrivate && wasThere;
}
