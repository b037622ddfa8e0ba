import type { Change } from '#shared/domain/change.ts';
import type { Emoji } from '#shared/domain/emoji/emoji-type.ts';
import { emojiKey, type Reacting } from '#shared/domain/reactions/changes.ts';
import type { User } from '#shared/domain/users/user.ts';
import { messageIndexKeys } from '#shared/store/log/log-entry.ts';
import { messageKeys } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';
import type { Readable } from './readable-message.ts';

/** The place of a message's reactions: the place of the first one, or the place for a first one now. */
const placeOfReactions = ({ message }: Readable): string =>
  message.reactionsIn ?? String(messageIndexKeys(message).inConversation);

/** Decides about a reaction of the user from its stored state. */
export async function decideReaction(
  table: Table,
  user: User,
  readable: Readable,
  { emoji, decide }: { emoji: Emoji; decide: (reacting: Reacting) => Change },
): Promise<Change> {
  const { message, view } = readable;
  const { userId } = user;
  const place = placeOfReactions(readable);
  const key = messageKeys.reactions(place, { messageId: message.messageId, emoji: emojiKey(emoji) }, userId);
  const item = message.reactionsIn === undefined ? undefined : await table.find(key);
  return decide({ userId, message, view, emoji, place, item });
}
