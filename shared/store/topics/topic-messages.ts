import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { PlacedMessage } from '#shared/domain/messages/moving/move.ts';
import { isSameTopic, type TopicPlace } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readTail } from '#shared/store/messages/message-tail.ts';
import { listMessagesById, toMessage } from '#shared/store/messages/messages.ts';
import { messageIndex, positionSortKey } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';
import { listArrivedIds } from './arrivals.ts';

/** Above every position. */
const END = Number.MAX_SAFE_INTEGER;

export const isIn = (place: TopicPlace, message: Message | undefined): message is PlacedMessage =>
  message?.kind === 'channel' &&
  message.channelId === place.channelId &&
  isSameTopic(message.topic, place.topic);

/**
 * The messages of a topic within bounds, ascending. The newest are read from the log, and recently moved ones
 * by id, since the index may lag.
 */
export async function listTopicMessages(
  services: Services,
  place: TopicPlace,
  { from, to }: { from: number; to: number },
): Promise<PlacedMessage[]> {
  const [tail, arrivedIds] = await Promise.all([readTail(services, END), listArrivedIds(services, place)]);
  const items = await services.table.list({
    index: messageIndex.byConversation,
    partition: messageIndex.topic(place.channelId, toCanonical(place.topic)),
    from: positionSortKey(from),
    to: positionSortKey(Math.min(to, tail.end)),
  });
  const indexed = [...items.map(toMessage), ...tail.messages];
  const known = new Set(indexed.map((message) => message?.messageId));
  const arrived = await listMessagesById(
    services.table,
    arrivedIds.filter((id) => !known.has(id)),
  );
  const byId = new Map<number, PlacedMessage>();
  for (const message of [...indexed, ...arrived])
    if (isIn(place, message) && from <= message.messageId && message.messageId <= to)
      byId.set(message.messageId, message);
  return [...byId.values()].sort((a, b) => a.messageId - b.messageId);
}

/** Whether consecutive messages of a topic are all that it has: they include its oldest and newest. */
export async function isWholeTopic(
  services: Reading,
  place: TopicPlace,
  messages: Message[],
): Promise<boolean> {
  const ids = new Set(messages.map(({ messageId }) => messageId));
  const ends = await Promise.all(
    [false, true].map((backwards) => findNeighbour(services, topicIndex(place), new Set(), { backwards })),
  );
  return ends.every((end) => end === undefined || ids.has(end.messageId));
}

/** The same messages in their present state, without messages that have left the topic. */
export async function refreshTopicMessages(
  table: Table,
  place: TopicPlace,
  messages: PlacedMessage[],
): Promise<PlacedMessage[]> {
  const current = await listMessagesById(
    table,
    messages.map(({ messageId }) => messageId),
  );
  return current.filter((message): message is PlacedMessage => isIn(place, message));
}

/** Extra messages to read, because the index may still list some that have left. */
const SPARE = 10;

type Reading = Pick<Services, 'table' | 'clock'>;

/** A partition of a message index, and the place for which moves are recorded that it may not show yet. */
interface Index {
  index: 'byConversation' | 'byChannel';
  partition: string;
  arrivals?: { channelId: number; topic?: string };
}

export const topicIndex = ({ channelId, topic }: TopicPlace): Index => ({
  index: messageIndex.byConversation,
  partition: messageIndex.topic(channelId, toCanonical(topic)),
  arrivals: { channelId, topic },
});
export const channelIndex = (channelId: number): Index => ({
  index: messageIndex.byChannel,
  partition: messageIndex.channel(channelId),
  arrivals: { channelId },
});
export const conversationIndex = (conversation: string): Index => ({
  index: messageIndex.byConversation,
  partition: messageIndex.direct(conversation),
});

/**
 * The newest or oldest message of an index that is not excluded and still there. While the index lists only
 * messages that have left, the search continues after them.
 */
export async function findNeighbour(
  services: Reading,
  { arrivals, ...index }: Index,
  without: Set<number>,
  { backwards }: { backwards: boolean },
): Promise<Message | undefined> {
  const { table } = services;
  const limit = without.size + SPARE;
  let waiting = arrivals ? await listArrivedIds(services, arrivals) : [];
  for (let bound: { from?: string; to?: string } = {}; ; ) {
    const { items, more } = await table.page({ ...index, ...bound, backwards, limit });
    const shown = items.flatMap((item) => toMessage(item)?.messageId ?? []);
    const last = shown.at(-1);
    // Arrivals beyond the page belong to a later one.
    const isInPage = (id: number): boolean =>
      !more || last === undefined || (backwards ? id >= last : id <= last);
    const ids = [...new Set([...shown, ...waiting.filter(isInPage)])]
      .filter((id) => !without.has(id))
      .sort((a, b) => (backwards ? b - a : a - b));
    const current = new Map(
      (await listMessagesById(table, ids)).map((message) => [message.messageId, message]),
    );
    for (const id of ids) {
      const message = current.get(id);
      if (message && partitionsOf(message).includes(index.partition)) return message;
    }
    if (!more || last === undefined) return undefined;
    waiting = waiting.filter((id) => !isInPage(id));
    bound = backwards ? { to: positionSortKey(last - 1) } : { from: positionSortKey(last + 1) };
  }
}

const partitionsOf = (message: Message): string[] =>
  message.kind === 'channel'
    ? [topicIndex(message).partition, channelIndex(message.channelId).partition]
    : [conversationIndex(conversationKey(message.recipients.map(({ id }) => id))).partition];
