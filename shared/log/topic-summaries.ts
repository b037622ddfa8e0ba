import type { ChangePart } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import type { PlacedMessage } from '#shared/domain/messages/moving/move.ts';
import { arrivalOf } from '#shared/domain/messages/moving/move-history.ts';
import { firstMessageChange } from '#shared/domain/messages/retention.ts';
import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listMessagesById } from '#shared/store/messages/messages.ts';
import { channelIndex, findNeighbour, isIn, topicIndex } from '#shared/store/topics/topic-messages.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { Conflict } from './commit.ts';

const topicKey = ({ channelId, topic }: TopicPlace) => channelKeys.topic(channelId, toCanonical(topic));

/**
 * Updates a topic summary when messages leave; only necessary if none that stays is newer. With `withNewest` they should
 * be all that the topic has. The summary remembers the newest that left, and remains without messages for some time, so
 * that a late summary of these messages is refused.
 * @throws Conflict when the topic has a newer one
 */
export async function leaveTopicWrites(
  services: Services,
  place: TopicPlace,
  leaving: PlacedMessage[],
  { withNewest = false } = {},
): Promise<Write[]> {
  const key = topicKey(place);
  const head = await services.table.find(key);
  const ids = new Set(leaving.map(({ messageId }) => messageId));
  const newest = Number(head?.maxMessageId ?? 0);
  const newestLeaving = Math.max(...ids);
  const isLater = newest > newestLeaving;
  if (isLater && !withNewest) return [];
  if (isLater && (await isStillIn(services.table, place, newest))) throw new Conflict();
  const condition = head ? { equals: { maxMessageId: newest } } : { exists: false };
  const leftMessageId = Math.max(newest, newestLeaving, Number(head?.leftMessageId ?? 0));
  const next = await findNeighbour(services, topicIndex(place), ids, { backwards: true });
  if (next?.kind !== 'channel') {
    const emptiedAtMs = services.clock.nowMs();
    const empty = { topic: place.topic, maxMessageId: 0, leftMessageId, emptiedAtMs };
    return [{ kind: 'put', item: { ...key, ...empty }, condition }];
  }
  const set = { topic: next.topic, maxMessageId: next.messageId, leftMessageId };
  return [{ kind: 'update', key, set, condition }];
}

/** Earlier versions wrote late summaries for messages that had left; they are corrected then. */
async function isStillIn(table: Table, place: TopicPlace, messageId: number): Promise<boolean> {
  const [message] = await listMessagesById(table, [messageId]);
  return isIn(place, message);
}

/** Updates a topic summary when messages arrive, given in their new state. */
export async function joinTopicWrites(
  table: Table,
  place: TopicPlace,
): Promise<(coming: PlacedMessage[]) => Write[]> {
  const key = topicKey(place);
  const head = await table.find(key);
  return (coming) => {
    const newest = coming.at(-1)?.messageId ?? 0;
    const arrivals = coming.filter(({ journey }) => journey).map(arrivalOf);
    const arrivedAt = Math.max(...arrivals, Number(head?.arrivedAt ?? 0));
    const arrival = arrivals.length > 0 && { arrivedAt };
    if (Number(head?.maxMessageId ?? 0) < newest)
      return [
        {
          kind: 'update',
          key,
          set: { topic: place.topic, maxMessageId: newest, ...arrival },
          condition: { belowOrAbsent: { maxMessageId: newest } },
        },
      ];
    return arrival ? [{ kind: 'update', key, set: arrival, condition: { exists: true } }] : [];
  };
}

/** Updates the first message of a channel when messages leave. */
export async function leaveChannel(
  services: Services,
  channel: Channel,
  leaving: PlacedMessage[],
): Promise<ChangePart> {
  const ids = new Set(leaving.map(({ messageId }) => messageId));
  if (channel.firstMessageId === null || !ids.has(channel.firstMessageId)) return { writes: [], events: [] };
  const next = await findNeighbour(services, channelIndex(channel.channelId), ids, { backwards: false });
  return firstMessageChange(channel, next?.messageId ?? null);
}

/** Updates the first message of a channel when messages arrive. */
export function joinChannel(channel: Channel, [first]: PlacedMessage[]): ChangePart {
  const { firstMessageId } = channel;
  if (!first || (firstMessageId !== null && firstMessageId <= first.messageId))
    return { writes: [], events: [] };
  return firstMessageChange(channel, first.messageId);
}
