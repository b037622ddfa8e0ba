import type { User } from '#shared/domain/users/user.ts';
import { type TopicPolicy, topicPolicies } from './preference.ts';

/**
 * What people do in a topic, by which they may come to hear more of it. The numbers are those of the settings: whoever
 * wants a topic from one deed on wants it from every greater one on.
 */
export const deeds = { react: 1, send: 2, begin: 3 } as const;
export type TopicDeed = (typeof deeds)[keyof typeof deeds];

/** What somebody chose who chose nothing: they follow what they begin. */
const DEFAULT_FOLLOWING = deeds.begin;

export type RaisedPolicy = typeof topicPolicies.unmuted | typeof topicPolicies.followed;

/** From which deed on somebody who acts follows topics. */
export const followsFrom = ({ followsTopicsFrom = DEFAULT_FOLLOWING }: User): number => followsTopicsFrom;

/** What somebody wants of a topic after a deed: following comes before unmuting, which muted channels alone need. */
export function wantedPolicy(
  deed: TopicDeed,
  { follow, unmute }: { follow: number; unmute: number | undefined },
): RaisedPolicy | undefined {
  if (follow <= deed) return topicPolicies.followed;
  return unmute !== undefined && unmute <= deed ? topicPolicies.unmuted : undefined;
}

/** Nobody comes to hear less of a topic by what they do in it. */
export const isRaise = (current: TopicPolicy, wanted: RaisedPolicy): boolean =>
  current !== wanted && current !== topicPolicies.followed;

/** Whoever is mentioned follows the topic, unless they said that they do not want to hear of it. */
export const followsMention = (current: TopicPolicy): boolean =>
  current !== topicPolicies.followed && current !== topicPolicies.muted;
