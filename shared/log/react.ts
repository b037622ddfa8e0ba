import type { Change } from '#shared/domain/change.ts';
import type { Emoji } from '#shared/domain/emoji/emoji-type.ts';
import { emojiKey, type Reacting } from '#shared/domain/reactions/changes.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { messageIndexKeys } from '#shared/store/log-entry.ts';
import { keys } from '#shared/table/keys.ts';
import { commit } from './commit.ts';
import type { Readable } from './readable-message.ts';

/** Where reactions to a message lie: where the first one was put, or where it would be put now. */
const placeOfReactions = ({ message }: Readable): string =>
  message.reactionsIn ?? String(messageIndexKeys(message).inConversation);

/** Decides about one reaction of the user from what is there of it, and makes it so. @throws StaleState */
export async function commitReaction(
  services: Services,
  user: User,
  readable: Readable,
  { emoji, decide }: { emoji: Emoji; decide: (reacting: Reacting) => Change },
): Promise<void> {
  const { message, view } = readable;
  const { userId } = user;
  const place = placeOfReactions(readable);
  const key = keys.reactions(place, { messageId: message.messageId, emoji: emojiKey(emoji) }, userId);
  const item = message.reactionsIn === undefined ? undefined : await services.table.find(key);
  await commit(services, decide({ userId, message, view, emoji, place, item }));
}
