import type { ReceivedEvent } from '../client.ts';
import { UNKNOWN } from './deletions.ts';
import { noteCall } from './mentions.ts';
import { type Apply, ascending, type SnapshotData } from './snapshot-data.ts';

/** What was unread before it moved is unread where it is now. */
function applyUpdate(state: SnapshotData, event: ReceivedEvent): void {
  noteCall(state, event.message_id, event.flags);
  if (event.orig_subject === undefined) return;
  const moved = new Set<number>(event.message_ids);
  // What came to a channel in which one was not is none of one's own messages any more.
  if (event.new_stream_id !== undefined && moved.has(state.max_message_id)) state.max_message_id = UNKNOWN;
  const place = {
    stream_id: event.new_stream_id ?? event.stream_id,
    topic: event.subject ?? event.orig_subject,
  };
  const unread = state.unread_msgs;
  const ids: number[] = unread.streams
    .flatMap((one: SnapshotData) => one.unread_message_ids)
    .filter((id: number) => moved.has(id));
  for (const one of unread.streams)
    one.unread_message_ids = one.unread_message_ids.filter((id: number) => !moved.has(id));
  unread.streams = unread.streams.filter((one: SnapshotData) => one.unread_message_ids.length > 0);
  if (ids.length > 0) putUnread(unread, place, ids);
}

/** A topic is spelled as in its newest message. */
function putUnread(unread: SnapshotData, place: { stream_id: number; topic: string }, ids: number[]): void {
  const isSame = (one: SnapshotData): boolean =>
    one.stream_id === place.stream_id && one.topic.toLowerCase() === place.topic.toLowerCase();
  const found = unread.streams.find(isSame);
  const topic = found ?? { ...place, unread_message_ids: [] };
  if (!found) unread.streams.push(topic);
  topic.unread_message_ids = [...topic.unread_message_ids, ...ids].sort(ascending);
  if (ids.includes(topic.unread_message_ids.at(-1))) topic.topic = place.topic;
  unread.streams.sort(
    (a: SnapshotData, b: SnapshotData) =>
      a.stream_id - b.stream_id || (a.topic.toLowerCase() < b.topic.toLowerCase() ? -1 : 1),
  );
}

export const updateEvents: Record<string, Apply> = { update_message: applyUpdate };
