import { type TopicPolicy, topicPolicies } from './preference.ts';

const { followed, unmuted, inherited, muted } = topicPolicies;

/** When two topics are merged, the policy that shows more wins. */
const BY_WEIGHT: TopicPolicy[] = [followed, unmuted, inherited, muted];

/**
 * The policy for a topic after another one was moved there: that of the other one, or the stronger of both.
 */
export function movedPolicy(old: TopicPolicy, present: TopicPolicy, isMerged: boolean): TopicPolicy {
  if (!isMerged) return old === inherited ? present : old;
  return BY_WEIGHT.find((policy) => policy === old || policy === present) ?? inherited;
}
