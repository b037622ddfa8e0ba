import type { User } from '#shared/domain/users/user.ts';
import { type TopicPolicy, topicPolicies } from './preference.ts';

/**
 * Actions in a topic that can raise the user's visibility policy for it, numbered like the
 * settings. The thresholds are ordered: a stronger action implies the weaker ones.
 */
export const topicActions = { react: 1, send: 2, begin: 3 } as const;
export type TopicAction = (typeof topicActions)[keyof typeof topicActions];

/** The default: users follow the topics that they start. */
const DEFAULT_FOLLOWING = topicActions.begin;

export type RaisedPolicy = typeof topicPolicies.unmuted | typeof topicPolicies.followed;

/** The weakest action that makes the user follow a topic. */
export const followsFrom = ({ followsTopicsFrom = DEFAULT_FOLLOWING }: User): number => followsTopicsFrom;

/**
 * The policy after an action. Following takes precedence over unmuting, which only matters in muted channels.
 */
export function wantedPolicy(
  action: TopicAction,
  { follow, unmute }: { follow: number; unmute: number | undefined },
): RaisedPolicy | undefined {
  if (follow <= action) return topicPolicies.followed;
  return unmute !== undefined && unmute <= action ? topicPolicies.unmuted : undefined;
}

/** Acting in a topic never lowers its policy. */
export const isRaise = (current: TopicPolicy | undefined, wanted: RaisedPolicy): boolean =>
  current !== wanted && current !== topicPolicies.followed;

/** A mention makes the user follow the topic unless they have muted it. */
export const followsMention = (current: TopicPolicy | undefined): boolean =>
  current !== topicPolicies.followed && current !== topicPolicies.muted;
