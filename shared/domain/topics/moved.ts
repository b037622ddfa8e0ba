import { type TopicPolicy, topicPolicies } from './preference.ts';

const { followed, unmuted, inherited, muted } = topicPolicies;

/** Where two topics become one, the wish to hear more of it counts. */
const BY_WEIGHT: TopicPolicy[] = [followed, unmuted, inherited, muted];

/** What somebody wants of a topic to which another one was moved: what they wanted of that, or of both. */
export function movedPolicy(old: TopicPolicy, present: TopicPolicy, isMerged: boolean): TopicPolicy {
  if (!isMerged) return old === inherited ? present : old;
  return BY_WEIGHT.find((policy) => policy === old || policy === present) ?? inherited;
}
