import type { ReceivedEvent } from '../client.ts';
import { applyFlags } from './flags.ts';
import { noteCall } from './mentions.ts';
import { type Apply, ascending, type SnapshotData } from './snapshot-data.ts';

function applyMessage(state: SnapshotData, { message, flags }: ReceivedEvent): void {
  if (!flags.includes('historical')) state.max_message_id = message.id;
  if (message.type === 'private') rememberConversation(state, message);
  if (!flags.includes('read')) addUnread(state, message);
  noteCall(state, message.id, flags);
}

function rememberConversation(
  state: SnapshotData,
  message: { id: number; display_recipient: { id: number }[] },
): void {
  const others = message.display_recipient.map(({ id }) => id).filter((id) => id !== state.user_id);
  const rest = state.recent_private_conversations.filter(
    ({ user_ids }: { user_ids: number[] }) => String(user_ids) !== String(others),
  );
  state.recent_private_conversations = [{ max_message_id: message.id, user_ids: others }, ...rest];
}

// biome-ignore lint/suspicious/noExplicitAny: a message is JSON of many shapes
function addUnread(state: SnapshotData, message: any): void {
  const unread = state.unread_msgs;
  if (message.type === 'stream') {
    const isSame = (one: SnapshotData) =>
      one.stream_id === message.stream_id && one.topic.toLowerCase() === message.subject.toLowerCase();
    const topic = unread.streams.find(isSame) ?? { stream_id: message.stream_id, unread_message_ids: [] };
    topic.topic = message.subject;
    if (!unread.streams.includes(topic)) unread.streams.push(topic);
    topic.unread_message_ids.push(message.id);
    unread.streams.sort(
      (a: SnapshotData, b: SnapshotData) =>
        a.stream_id - b.stream_id || (a.topic.toLowerCase() < b.topic.toLowerCase() ? -1 : 1),
    );
    return;
  }
  const ids: number[] = message.display_recipient.map(({ id }: { id: number }) => id);
  if (ids.length > 2) {
    const key = [...ids].sort(ascending).join(',');
    const isSame = (one: SnapshotData) => one.user_ids_string === key;
    const group = unread.huddles.find(isSame) ?? { user_ids_string: key, unread_message_ids: [] };
    if (!unread.huddles.includes(group)) unread.huddles.push(group);
    group.unread_message_ids.push(message.id);
    unread.huddles.sort((a: SnapshotData, b: SnapshotData) =>
      a.user_ids_string < b.user_ids_string ? -1 : 1,
    );
    return;
  }
  const other = ids.find((id) => id !== state.user_id) ?? state.user_id;
  const isSame = (one: SnapshotData) => one.other_user_id === other;
  const found = unread.pms.find(isSame);
  const conversation = found ?? { other_user_id: other, sender_id: other, unread_message_ids: [] };
  if (!found) unread.pms.push(conversation);
  conversation.unread_message_ids.push(message.id);
  unread.pms.sort((a: SnapshotData, b: SnapshotData) => a.other_user_id - b.other_user_id);
}

export const messageEvents: Record<string, Apply> = {
  message: applyMessage,
  update_message_flags: applyFlags,
};
