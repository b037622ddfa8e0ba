import type { ReceivedEvent } from '../client.ts';
import { noteCounted } from './mentions.ts';
import { ascending, type SnapshotData } from './snapshot-data.ts';

/** Messages of the reader got a flag or lost it. What becomes unread again comes with where it is. */
export function applyFlags(state: SnapshotData, event: ReceivedEvent): void {
  if (event.flag === 'starred') {
    const others = state.starred_messages.filter((id: number) => !event.messages.includes(id));
    state.starred_messages = [...others, ...(event.op === 'add' ? event.messages : [])].sort(ascending);
  }
  if (event.flag !== 'read') return;
  forget(state.unread_msgs, event.messages);
  if (event.op === 'remove')
    for (const id of event.messages) {
      const details = event.message_details[String(id)];
      remember(state, id, details);
      noteCounted(state, id, details.mentioned ?? false);
    }
}

function forget(unread: SnapshotData, ids: number[]): void {
  const read = new Set(ids);
  for (const kind of ['pms', 'streams', 'huddles']) {
    for (const one of unread[kind])
      one.unread_message_ids = one.unread_message_ids.filter((id: number) => !read.has(id));
    unread[kind] = unread[kind].filter((one: SnapshotData) => one.unread_message_ids.length > 0);
  }
}

function remember(state: SnapshotData, id: number, details: SnapshotData): void {
  const unread = state.unread_msgs;
  if (details.type === 'stream') {
    const topic = String(details.topic);
    const isSame = (one: SnapshotData) =>
      one.stream_id === details.stream_id && one.topic.toLowerCase() === topic.toLowerCase();
    add(unread.streams, isSame, { stream_id: details.stream_id, topic }, id);
    unread.streams.sort(
      (a: SnapshotData, b: SnapshotData) =>
        a.stream_id - b.stream_id || (a.topic.toLowerCase() < b.topic.toLowerCase() ? -1 : 1),
    );
    return;
  }
  if (details.user_ids.length > 1) {
    const key = [...details.user_ids, state.user_id].sort(ascending).join(',');
    add(unread.huddles, (one) => one.user_ids_string === key, { user_ids_string: key }, id);
    unread.huddles.sort((a: SnapshotData, b: SnapshotData) =>
      a.user_ids_string < b.user_ids_string ? -1 : 1,
    );
    return;
  }
  const other = details.user_ids[0] ?? state.user_id;
  const isSame = (one: SnapshotData) => one.other_user_id === other;
  add(unread.pms, isSame, { other_user_id: other, sender_id: other }, id);
  unread.pms.sort((a: SnapshotData, b: SnapshotData) => a.other_user_id - b.other_user_id);
}

function add(
  conversations: SnapshotData[],
  isSame: (one: SnapshotData) => boolean,
  conversation: SnapshotData,
  id: number,
): void {
  const found = conversations.find(isSame);
  if (!found) conversations.push({ ...conversation, unread_message_ids: [id] });
  else found.unread_message_ids = [...found.unread_message_ids, id].sort(ascending);
}
