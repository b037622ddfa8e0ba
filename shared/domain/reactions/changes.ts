import type { Change } from '#shared/domain/change.ts';
import type { Emoji } from '#shared/domain/emoji/emoji-type.ts';
import { ReactionAlreadyExists, ReactionDoesNotExist } from '#shared/domain/errors.ts';
import { type ChannelView, readersOf } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { logKeys, messageKeys } from '#shared/table/keys/log.ts';
import type { Item, Write } from '#shared/table/table.ts';

/** Adds or removes a user's reaction, with the state from the table. */
export interface Reacting {
  userId: number;
  message: Message;
  view: ChannelView | undefined;
  emoji: Emoji;
  /** The storage place of the message's reactions. */
  place: string;
  /** The item with this reaction and some others of the same emoji. */
  item: Item | undefined;
}

/** @throws ReactionAlreadyExists */
export function reactChange(reacting: Reacting): Change {
  const { userId, message, emoji, place, item } = reacting;
  const attribute = reactorAttribute(userId);
  if (item?.[attribute] !== undefined) throw new ReactionAlreadyExists();
  return {
    writes: (position) => [
      ...(message.reactionsIn === undefined ? [placeWrite(message, place)] : []),
      {
        kind: 'update',
        key: keyOf(reacting),
        set: {
          emojiName: emoji.name,
          emojiCode: emoji.code,
          reactionType: emoji.type,
          [attribute]: position,
        },
        add: { count: 1 },
        condition: { belowOrAbsent: { [attribute]: 0 } },
      },
    ],
    events: [reactionEvent('add', reacting, emoji.name)],
  };
}

/** @throws ReactionDoesNotExist */
export function unreactChange(reacting: Reacting): Change {
  const { userId, item } = reacting;
  const attribute = reactorAttribute(userId);
  if (item?.[attribute] === undefined) throw new ReactionDoesNotExist();
  const { count } = item;
  const condition = { equals: { count, [attribute]: item[attribute] } };
  const key = keyOf(reacting);
  const write: Write =
    count === 1
      ? { kind: 'delete', key, condition }
      : { kind: 'update', key, remove: [attribute], add: { count: -1 }, condition };
  return { writes: [write], events: [reactionEvent('remove', reacting, String(item.emojiName))] };
}

/** Marks the message so that readers of lists know that it has reactions. */
const placeWrite = (message: Message, place: string): Write => ({
  kind: 'update',
  key: logKeys.entry(message.messageId),
  set: { reactionsIn: place },
  condition: { exists: true, equals: { inConversation: place } },
});

const keyOf = ({ place, message, emoji, userId }: Reacting): Key =>
  messageKeys.reactions(place, { messageId: message.messageId, emoji: emojiKey(emoji) }, userId);

/** The part of a key that identifies an emoji. */
export const emojiKey = ({ type, code }: Pick<Emoji, 'type' | 'code'>): string => `${type}#${code}`;

/** The attribute with the log positions of reactions, by user. */
const REACTOR = 'u';
const reactorAttribute = (userId: number): string => `${REACTOR}${userId}`;

/** The reactions in an item with their log positions. */
export const readReactors = (item: Item): { userId: number; position: number }[] =>
  Object.entries(item).flatMap(([name, value]) =>
    /^u\d+$/.test(name) ? [{ userId: Number(name.slice(REACTOR.length)), position: Number(value) }] : [],
  );

function reactionEvent(
  op: 'add' | 'remove',
  { userId, message, view, emoji }: Reacting,
  name: string,
): LogEvent {
  return {
    audience: readersOf(message, view),
    ...(view?.channel.isArchived && { isOfArchived: true as const }),
    payload: {
      type: 'reaction',
      op,
      user_id: userId,
      message_id: message.messageId,
      emoji_name: name,
      emoji_code: emoji.code,
      reaction_type: emoji.type,
    },
  };
}
