import type { Message } from '#shared/domain/messages/message.ts';
import { isSameTopic, type TopicPlace } from '#shared/domain/messages/topic.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readTail } from '#shared/store/messages/message-tail.ts';
import { toMessage } from '#shared/store/messages/messages.ts';
import { withReactions } from '#shared/store/messages/reactions.ts';
import { positionSortKey } from '#shared/table/keys/log.ts';
import { topicIndex } from './topic-messages.ts';

/** Only this many of the newest messages count for participation. */
const MAX_MESSAGES = 5_000;
const PER_PAGE = 1_000;

/** The senders and reactors among the newest 5 000 messages of a topic. */
export async function listParticipantIds(services: Services, place: TopicPlace): Promise<number[]> {
  const { table } = services;
  const tail = await readTail(services, Number.MAX_SAFE_INTEGER);
  const found = new Map(tail.messages.map((message) => [message.messageId, message]));
  let to = tail.from - 1;
  while (to > 0 && found.size < MAX_MESSAGES) {
    const { items, more } = await table.page({
      ...topicIndex(place),
      to: positionSortKey(to),
      backwards: true,
      limit: PER_PAGE,
    });
    const messages = items.flatMap((item) => toMessage(item) ?? []);
    for (const message of messages) found.set(message.messageId, message);
    to = more ? (messages.at(-1)?.messageId ?? 0) - 1 : 0;
  }
  const messages = [...found.values()].filter((message) => isIn(place, message));
  const reacted = await withReactions(table, messages, { among: messages });
  return [
    ...new Set(
      reacted.flatMap(({ senderId, reactions = [] }) => [senderId, ...reactions.map(({ userId }) => userId)]),
    ),
  ];
}

const isIn = (place: TopicPlace, message: Message): boolean =>
  message.kind === 'channel' &&
  message.channelId === place.channelId &&
  isSameTopic(message.topic, place.topic);
