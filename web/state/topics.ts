import { byFolded } from './lists.ts';
import { foldName, isSameName } from './names.ts';
import { onServer, type Reducers } from './state.ts';
import type { Snapshot, UserTopic } from './wire.ts';
import type { EventOf } from './wire-events.ts';

export const POLICY = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const;

const keyOf = (channelId: number | undefined, topic: string): string => `${channelId} ${foldName(topic)}`;

function applyUserTopic(server: Snapshot, event: EventOf<'user_topic'>): Snapshot {
  const { id: _id, type: _type, ...record } = event;
  const rest = server.user_topics.filter(
    (topic) => topic.stream_id !== record.stream_id || !isSameName(topic.topic_name, record.topic_name),
  );
  const kept = record.visibility_policy === POLICY.inherit ? [] : [record];
  const user_topics = [...rest, ...kept].sort(
    (a, b) => a.stream_id - b.stream_id || byFolded(a.topic_name, b.topic_name),
  );
  return { ...server, user_topics };
}

const policies = new WeakMap<UserTopic[], Map<string, number>>();

function policiesOf(topics: UserTopic[]): Map<string, number> {
  const known = policies.get(topics);
  if (known) return known;
  const made = new Map<string, number>();
  for (const { stream_id, topic_name, visibility_policy } of topics) {
    const key = keyOf(stream_id, topic_name);
    if (!made.has(key)) made.set(key, visibility_policy);
  }
  policies.set(topics, made);
  return made;
}

/** The viewer's policy for a topic; 0 if there is none, and for messages outside channels. */
export const policyOf = (server: Snapshot, channelId: number | undefined, topic: string): number =>
  policiesOf(server.user_topics).get(keyOf(channelId, topic)) ?? POLICY.inherit;

const mutedChannels = new WeakMap<Snapshot['subscriptions'], Set<number | undefined>>();

function mutedOf(records: Snapshot['subscriptions']): Set<number | undefined> {
  const known = mutedChannels.get(records);
  if (known) return known;
  const made = new Set<number | undefined>(
    records.filter((record) => record.is_muted).map(({ stream_id }) => stream_id),
  );
  mutedChannels.set(records, made);
  return made;
}

/** Whether messages of a topic count less: its own policy says so, or its channel is muted and the topic says nothing. */
export function isMuted(server: Snapshot, channelId: number | undefined, topic: string): boolean {
  const own = policyOf(server, channelId, topic);
  if (own !== POLICY.inherit) return own === POLICY.muted;
  return mutedOf(server.subscriptions).has(channelId) || mutedOf(server.unsubscribed).has(channelId);
}

export const topicReducers = {
  user_topic: onServer(applyUserTopic),
  muted_topics: onServer((server, event: Required<Pick<Snapshot, 'muted_topics'>>) => ({
    ...server,
    muted_topics: event.muted_topics,
  })),
} satisfies Partial<Reducers>;
