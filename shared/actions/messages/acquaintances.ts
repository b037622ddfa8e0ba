import type { Change } from '#shared/domain/change.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import { summaryWrites } from '#shared/log/commit-message.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';

/** A transaction takes 100 writes. */
const MAX_NOTED = 50;

/**
 * What notes a conversation for the guests for whom the message begins it, to be committed with the message. Guests may see
 * only the users whom they meet in channels and conversations, so a note that is written later, and that a crash leaves to the
 * sweep, would hide these users from them meanwhile. One read for each guest.
 */
export async function noteForGuests(table: Table, people: User[], message: StoredMessage): Promise<Change> {
  const conversation = conversationKey(people.map(({ userId }) => userId));
  // A user may be named more than once.
  const guestIds = new Set(people.filter(isGuest).map(({ userId }) => userId));
  const notes = [...guestIds]
    .slice(0, MAX_NOTED)
    .map((userId) => userKeys.conversation(userId, conversation));
  const noted = new Set((await table.findMany(notes)).map(({ pk }) => pk));
  const lacking = new Set(notes.flatMap(({ pk }) => (noted.has(pk) ? [] : [pk])));
  if (lacking.size === 0) return {};
  return {
    writes: (position) =>
      summaryWrites({ ...message, messageId: position }).filter(({ key }) => lacking.has(key.pk)),
  };
}
