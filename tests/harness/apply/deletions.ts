import type { ReceivedEvent } from '../client.ts';
import { recountUnread } from './channels.ts';
import type { Apply, SnapshotData } from './snapshot-data.ts';

/** What a client does not know without asking. */
export const UNKNOWN = 'unknown';

/**
 * What was deleted is not unread any more. Which message is the newest now, of all or of a conversation, a client cannot
 * tell by the event: what it knew of that is forgotten.
 */
function applyDeletion(state: SnapshotData, event: ReceivedEvent): void {
  const gone = new Set<number>(event.message_ids ?? [event.message_id]);
  const unread = state.unread_msgs;
  for (const kind of ['pms', 'streams', 'huddles']) {
    for (const one of unread[kind])
      one.unread_message_ids = one.unread_message_ids.filter((id: number) => !gone.has(id));
    unread[kind] = unread[kind].filter((one: SnapshotData) => one.unread_message_ids.length > 0);
  }
  recountUnread(state);
  state.starred_messages = state.starred_messages.filter((id: number) => !gone.has(id));
  for (const conversation of state.recent_private_conversations)
    if (gone.has(conversation.max_message_id)) conversation.max_message_id = UNKNOWN;
  if (gone.has(state.max_message_id)) state.max_message_id = UNKNOWN;
}

/** A fresh snapshot as far as a client can tell it that forgot what is the newest. */
export function asFarAsKnown(fresh: SnapshotData, replayed: SnapshotData): SnapshotData {
  const { recent_private_conversations: known = [] } = replayed;
  const doubtful = known
    .filter(({ max_message_id }: SnapshotData) => max_message_id === UNKNOWN)
    .map(({ user_ids }: SnapshotData) => String(user_ids));
  const isSure = ({ user_ids }: SnapshotData): boolean => !doubtful.includes(String(user_ids));
  return {
    ...fresh,
    ...(replayed.max_message_id === UNKNOWN && { max_message_id: UNKNOWN }),
    ...(fresh.recent_private_conversations && {
      recent_private_conversations: fresh.recent_private_conversations.filter(isSure),
    }),
  };
}

/** What a client is sure of. */
export const sureOf = (replayed: SnapshotData): SnapshotData => ({
  ...replayed,
  ...(replayed.recent_private_conversations && {
    recent_private_conversations: replayed.recent_private_conversations.filter(
      ({ max_message_id }: SnapshotData) => max_message_id !== UNKNOWN,
    ),
  }),
});

export const deletionEvents: Record<string, Apply> = { delete_message: applyDeletion };
