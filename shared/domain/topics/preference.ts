import type { ChannelView } from '#shared/domain/messages/access.ts';
import { isSameTopic } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { User } from '#shared/domain/users/user.ts';

/** Visibility policies of a topic, as the protocol numbers them; 0 is what the channel says. */
export const topicPolicies = { inherited: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type TopicPolicy = (typeof topicPolicies)[keyof typeof topicPolicies];

export const isTopicPolicy = (n: number): n is TopicPolicy =>
  Object.values<number>(topicPolicies).includes(n);

/** What a user wants of a topic; it outlives the subscription, and needs no message in the topic. */
export interface TopicPreference {
  channelId: number;
  /** As the user knew it when they set the preference. */
  channelName: string;
  /** As first spelled. */
  topic: string;
  policy: Exclude<TopicPolicy, 0>;
  updatedAtSeconds: number;
  /** Where the log tells of it; absent of preferences of earlier releases. */
  position?: number;
}

/** All preferences of a user, and what decides about more of them. */
export interface TopicState {
  user: User;
  /** Grows with every change of any of the user's preferences. */
  revision: number;
  preferences: TopicPreference[];
  /** The topics whose preference was removed lately, and where the log tells of it, the latest last. */
  removals: Removal[];
  /** The channels that the user mutes topics of, and the one that is spoken of. */
  views: Map<number, ChannelView>;
}

/** A topic whose preference was removed. */
export interface Removal {
  channelId: number;
  topic: string;
  position: number;
}

/** Where the log tells what the user last decided about a topic, as far as it is remembered. */
export function decidedAt({ preferences, removals }: TopicState, channelId: number, topic: string): number {
  const isIt = (one: { channelId: number; topic: string }): boolean =>
    one.channelId === channelId && isSameTopic(one.topic, topic);
  return preferences.find(isIt)?.position ?? removals.findLast(isIt)?.position ?? 0;
}

export const findPreference = (
  preferences: TopicPreference[],
  channelId: number,
  topic: string,
): TopicPreference | undefined =>
  preferences.find((one) => one.channelId === channelId && isSameTopic(one.topic, topic));

export const listMuted = (preferences: TopicPreference[]): TopicPreference[] =>
  preferences.filter(({ policy }) => policy === topicPolicies.muted);

/** By channel and topic, whatever order they were read or set in. */
export function inOrder(preferences: TopicPreference[]): TopicPreference[] {
  const key = ({ topic }: TopicPreference): string => toCanonical(topic);
  return preferences.toSorted(
    (a, b) => a.channelId - b.channelId || (key(a) < key(b) ? -1 : Number(key(a) > key(b))),
  );
}
