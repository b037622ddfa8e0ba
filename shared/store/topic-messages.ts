import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { PlacedMessage, TopicPlace } from '#shared/domain/messages/move.ts';
import { isSameTopic } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { Services } from '#shared/runtime/services.ts';
import { messageIndex, positionSortKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { readTail } from './message-tail.ts';
import { listMessagesById, toMessage } from './messages.ts';

/** Above every position. */
const END = Number.MAX_SAFE_INTEGER;

const isIn = (place: TopicPlace, message: Message | undefined): message is PlacedMessage =>
  message?.kind === 'channel' &&
  message.channelId === place.channelId &&
  isSameTopic(message.topic, place.topic);

/** The messages of a topic within bounds, ascending; the newest are read from the log, since the index may lag. */
export async function listTopicMessages(
  services: Services,
  place: TopicPlace,
  { from, to }: { from: number; to: number },
): Promise<PlacedMessage[]> {
  const tail = await readTail(services, END);
  const items = await services.table.list({
    index: messageIndex.byConversation,
    partition: messageIndex.topic(place.channelId, toCanonical(place.topic)),
    from: positionSortKey(from),
    to: positionSortKey(Math.min(to, tail.end)),
  });
  const byId = new Map<number, PlacedMessage>();
  for (const message of [...items.map(toMessage), ...tail.messages])
    if (isIn(place, message) && from <= message.messageId && message.messageId <= to)
      byId.set(message.messageId, message);
  return [...byId.values()].sort((a, b) => a.messageId - b.messageId);
}

/** Whether all messages of a topic are among some that are its newest: then its oldest ones are too. */
export async function isWholeTopic(table: Table, place: TopicPlace, newest: Message[]): Promise<boolean> {
  const ids = new Set(newest.map(({ messageId }) => messageId));
  const other = await findNeighbour(table, topicIndex(place), ids, { backwards: false, limit: 2 * SPARE });
  return other === undefined;
}

/** The same messages as they are now, without those that are not in the topic any more. */
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

/** So many messages are looked at beyond those that are left out: the index may still hold what has gone. */
const SPARE = 10;

/** A partition of a message index. */
type Index = { index: 'byConversation' | 'byChannel'; partition: string };

export const topicIndex = ({ channelId, topic }: TopicPlace): Index => ({
  index: messageIndex.byConversation,
  partition: messageIndex.topic(channelId, toCanonical(topic)),
});
export const channelIndex = (channelId: number): Index => ({
  index: messageIndex.byChannel,
  partition: messageIndex.channel(channelId),
});
export const conversationIndex = (conversation: string): Index => ({
  index: messageIndex.byConversation,
  partition: messageIndex.direct(conversation),
});

/** The newest or the oldest message of an index that is none of some, and is still there. */
export async function findNeighbour(
  table: Table,
  index: Index,
  without: Set<number>,
  { backwards, limit = without.size + SPARE }: { backwards: boolean; limit?: number },
): Promise<Message | undefined> {
  const { items } = await table.page({ ...index, backwards, limit });
  const ids = items
    .map(toMessage)
    .flatMap((one) => (one && !without.has(one.messageId) ? [one.messageId] : []));
  const current = new Map((await listMessagesById(table, ids)).map((one) => [one.messageId, one]));
  for (const id of ids) {
    const message = current.get(id);
    if (message && partitionsOf(message).includes(index.partition)) return message;
  }
  return undefined;
}

const partitionsOf = (message: Message): string[] =>
  message.kind === 'channel'
    ? [topicIndex(message).partition, channelIndex(message.channelId).partition]
    : [conversationIndex(conversationKey(message.recipients.map(({ id }) => id))).partition];
