import type { ReceivedEvent } from '../client.ts';
import type { Apply, SnapshotData } from './snapshot-data.ts';

const MUTED = 1;

function applyUserTopic(state: SnapshotData, event: ReceivedEvent): void {
  const { id: _id, type: _type, ...record } = event;
  const isSame = (one: SnapshotData): boolean =>
    one.stream_id === record.stream_id && one.topic_name === record.topic_name;
  const rest = state.user_topics.filter((one: SnapshotData) => !isSame(one));
  const kept = record.visibility_policy === 0 ? [] : [record];
  state.user_topics = [...rest, ...kept].sort(
    (a: SnapshotData, b: SnapshotData) =>
      a.stream_id - b.stream_id || (a.topic_name.toLowerCase() < b.topic_name.toLowerCase() ? -1 : 1),
  );
}

export function isMuted(state: SnapshotData, { stream_id, topic }: SnapshotData): boolean {
  const own = state.user_topics.find(
    (one: SnapshotData) =>
      one.stream_id === stream_id && one.topic_name.toLowerCase() === topic.toLowerCase(),
  );
  if (own) return own.visibility_policy === MUTED;
  const records = [...state.subscriptions, ...state.unsubscribed];
  return records.some((one) => one.stream_id === stream_id && one.is_muted);
}

/** The number that a client shows: what is unread in muted topics and channels does not count. */
export function recountUnread(state: SnapshotData): void {
  const { pms, huddles, streams } = state.unread_msgs;
  const heard = streams.filter((one: SnapshotData) => !isMuted(state, one));
  state.unread_msgs.count = [...pms, ...huddles, ...heard].flatMap(
    ({ unread_message_ids }) => unread_message_ids,
  ).length;
}

export const topicEvents: Record<string, Apply> = {
  user_topic: applyUserTopic,
  muted_topics: (state, event) => {
    state.muted_topics = event.muted_topics;
  },
  muted_users: (state, event) => {
    state.muted_users = event.muted_users;
  },
};
