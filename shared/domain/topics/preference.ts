import type { ChannelView } from '#shared/domain/messages/access.ts';
import { isSameTopic, type TopicPlace } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { User } from '#shared/domain/users/user.ts';

/** Visibility policies by protocol number; 0 follows the channel. */
export const topicPolicies = { inherited: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type TopicPolicy = (typeof topicPolicies)[keyof typeof topicPolicies];

export const isTopicPolicy = (n: number): n is TopicPolicy =>
  Object.values<number>(topicPolicies).includes(n);

/** A user's policy for a topic. It outlives the subscription and needs no message in the topic. */
export interface TopicPreference {
  channelId: number;
  /** The name when the preference was set. */
  channelName: string;
  /** In the first spelling. */
  topic: string;
  policy: Exclude<TopicPolicy, 0>;
  updatedAtSeconds: number;
  /** Its log position; absent for preferences of earlier releases. */
  position?: number;
}

/** All preferences of a user, with the state that decides about further ones. */
export interface TopicState {
  user: User;
  /** Increases with every change of the user's preferences. */
  revision: number;
  preferences: TopicPreference[];
  /** Recently removed preferences with their log positions, the latest last. */
  removals: Removal[];
  /** The channels with muted topics, and the channel in question. */
  views: Map<number, ChannelView>;
}

/** A removed preference. */
export interface Removal {
  channelId: number;
  topic: string;
  position: number;
}

/** The log position of the user's last decision about a topic, as far as it is remembered. */
export function decidedAt({ preferences, removals }: TopicState, channelId: number, topic: string): number {
  const isIt = (topicPlace: TopicPlace): boolean =>
    topicPlace.channelId === channelId && isSameTopic(topicPlace.topic, topic);
  return preferences.find(isIt)?.position ?? removals.findLast(isIt)?.position ?? 0;
}

export const findPreference = (
  preferences: TopicPreference[],
  channelId: number,
  topic: string,
): TopicPreference | undefined =>
  preferences.find(
    (preference) => preference.channelId === channelId && isSameTopic(preference.topic, topic),
  );

export const listMuted = (preferences: TopicPreference[]): TopicPreference[] =>
  preferences.filter(({ policy }) => policy === topicPolicies.muted);

/** Sorted by channel and topic, independently of the order of changes. */
export function inOrder(preferences: TopicPreference[]): TopicPreference[] {
  const key = ({ topic }: TopicPreference): string => toCanonical(topic);
  return preferences.toSorted(
    (a, b) => a.channelId - b.channelId || (key(a) < key(b) ? -1 : Number(key(a) > key(b))),
  );
}
