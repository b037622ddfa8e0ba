import type { Emoji, EmojiType } from '#shared/domain/emoji/emoji-type.ts';
import type { Message, Reaction } from '#shared/domain/messages/message.ts';
import { emojiKey, readReactors } from '#shared/domain/reactions/changes.ts';
import { messagePartitions, reactionPrefix } from '#shared/table/keys/log.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { type BesideOptions, listBeside } from './beside.ts';

/** The messages with their reactions, oldest first. */
export async function withReactions<One extends Message>(
  table: Table,
  messages: One[],
  options: BesideOptions = {},
): Promise<One[]> {
  const byMessage = await listBeside(table, 'reactionsIn', messages, options);
  return messages.map((message) => {
    const found = byMessage.get(message.messageId);
    return found ? { ...message, reactions: toReactions(found) } : message;
  });
}

/** The name under which an emoji was used in earlier reactions, if any. */
export async function findReactionName(
  table: Table,
  { messageId, reactionsIn }: Message,
  emoji: Pick<Emoji, 'type' | 'code'>,
): Promise<string | undefined> {
  if (reactionsIn === undefined) return undefined;
  const { items } = await table.page({
    partition: messagePartitions.reactionsIn(reactionsIn),
    prefix: reactionPrefix(messageId, emojiKey(emoji)),
    limit: 1,
    consistent: true,
  });
  const [item] = items;
  return item && String(item.emojiName);
}

const toReactions = (items: Item[]): Reaction[] =>
  items
    .flatMap((item) =>
      readReactors(item).map(({ userId, position }) => ({
        position,
        userId,
        emojiName: String(item.emojiName),
        emojiCode: String(item.emojiCode),
        reactionType: item.reactionType as EmojiType,
      })),
    )
    .sort((a, b) => a.position - b.position)
    .map(({ position: _position, ...reaction }) => reaction);
