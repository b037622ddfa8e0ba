import type { Emoji, EmojiType } from '#shared/domain/emoji/emoji-type.ts';
import type { Message, Reaction } from '#shared/domain/messages/message.ts';
import { emojiKey, readReactors } from '#shared/domain/reactions/changes.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import {
  type Key,
  messageOfReactions,
  partitions,
  reactionPrefix,
  reactionRange,
} from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

type Located = Pick<Message, 'messageId' | 'reactionsIn'>;

/** Messages to which there are reactions in one place, one after the other. */
interface Run {
  place: string;
  from: number;
  to: number;
}

/**
 * The messages with their reactions, oldest first. `among` are all messages of the stretch in which they lie, where
 * those are known: then reactions to neighbours are read at once, and cost what they weigh. Otherwise each message
 * with reactions costs half a read unit at least.
 */
export async function withReactions<One extends Message>(
  table: Table,
  messages: One[],
  { among = [], consistent = false }: { among?: Message[]; consistent?: boolean } = {},
): Promise<One[]> {
  const runs = findRuns(messages, among);
  if (runs.length === 0) return messages;
  const items = await listItems(table, runs, consistent);
  const byMessage = Map.groupBy(items, ({ sk }) => messageOfReactions(String(sk)));
  return messages.map((message) => {
    const found = byMessage.get(message.messageId);
    return found ? { ...message, reactions: toReactions(found) } : message;
  });
}

/** The name under which people have reacted with an emoji already, if anybody has. */
export async function findReactionName(
  table: Table,
  { messageId, reactionsIn }: Message,
  emoji: Pick<Emoji, 'type' | 'code'>,
): Promise<string | undefined> {
  if (reactionsIn === undefined) return undefined;
  const { items } = await table.page({
    partition: partitions.reactionsIn(reactionsIn),
    prefix: reactionPrefix(messageId, emojiKey(emoji)),
    limit: 1,
    consistent: true,
  });
  const [item] = items;
  return item && String(item.emojiName);
}

/** The keys of everything that holds reactions to the messages. */
export async function listReactionKeys(table: Table, messages: Located[]): Promise<Key[]> {
  const items = await listItems(table, findRuns(messages, []), true);
  return items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
}

async function listItems(table: Table, runs: Run[], consistent: boolean): Promise<Item[]> {
  const pages = await mapConcurrently(runs, ({ place, from, to }) =>
    table.list({ partition: partitions.reactionsIn(place), ...reactionRange(from, to), consistent }),
  );
  return pages.flat();
}

/** Neighbours in one place are one run, where nothing unwanted lies between them. */
function findRuns(messages: Located[], among: Located[]): Run[] {
  const wanted = new Set(messages.map(({ messageId }) => messageId));
  const isStretch = among.length > 0;
  const known = (isStretch ? among : messages).filter(({ reactionsIn }) => reactionsIn !== undefined);
  return [...Map.groupBy(known, ({ reactionsIn = '' }) => reactionsIn)].flatMap(([place, group]) => {
    const runs: Run[] = [];
    let open: Run | undefined;
    for (const { messageId } of group.sort((a, b) => a.messageId - b.messageId)) {
      if (!wanted.has(messageId)) open = undefined;
      else if (open && isStretch) open.to = messageId;
      else {
        open = { place, from: messageId, to: messageId };
        runs.push(open);
      }
    }
    return runs;
  });
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
