import type { ReceivedEvent } from '../client.ts';
import { recountUnread } from './channels.ts';
import type { Apply, SnapshotData } from './snapshot-data.ts';

/** What was deleted is not unread any more; a conversation whose newest message goes has nothing older left. */
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
  state.recent_private_conversations = state.recent_private_conversations.filter(
    ({ max_message_id }: { max_message_id: number }) => !gone.has(max_message_id),
  );
}

export const deletionEvents: Record<string, Apply> = { delete_message: applyDeletion };
