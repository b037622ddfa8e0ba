import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { type TopicPolicy, type TopicPreference, topicPolicies } from './preference.ts';

/** The preferences of one user by channel and topic. */
export type TopicPolicies = ReadonlyMap<string, TopicPolicy>;

/** What decides the visibility of a topic for a user. */
export interface TopicWishes {
  policies: TopicPolicies;
  /** The user's subscription to the topic's channel. */
  subscription: Subscription | undefined;
}

export const toTopicPolicies = (preferences: TopicPreference[]): TopicPolicies =>
  new Map(preferences.map((preference) => [topicKey(preference), preference.policy]));

/** The effective policy for a topic: the user's own, else muted if the channel is muted, else none. */
export function effectivePolicy(place: TopicPlace, { policies, subscription }: TopicWishes): TopicPolicy {
  const own = policies.get(topicKey(place));
  if (own !== undefined) return own;
  return subscription?.isMuted ? topicPolicies.muted : topicPolicies.inherited;
}

/** Unmuted and followed topics are shown in a muted channel too. */
export const isMutedFor = (place: TopicPlace, wishes: TopicWishes): boolean =>
  effectivePolicy(place, wishes) === topicPolicies.muted;

export const isFollowed = (place: TopicPlace, wishes: TopicWishes): boolean =>
  effectivePolicy(place, wishes) === topicPolicies.followed;

const topicKey = ({ channelId, topic }: TopicPlace): string => `${channelId} ${toCanonical(topic)}`;
