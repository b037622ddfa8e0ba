import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { placeOf, type TopicPlace, type TopicView } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import {
  followsFrom,
  followsMention,
  isRaise,
  type RaisedPolicy,
  type TopicAction,
  wantedPolicy,
} from '#shared/domain/topics/automation.ts';
import { choiceChange } from '#shared/domain/topics/choose.ts';
import {
  decidedAt,
  findPreference,
  type TopicPolicy,
  topicPolicies,
} from '#shared/domain/topics/preference.ts';
import { unlessRefused } from '#shared/domain/unless-refused.ts';
import type { User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { loadTopicState } from '#shared/store/topics/topic-preferences.ts';
import { getUserSettings } from '#shared/store/users/user-settings.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { RaisedTopic } from './own-topics.ts';

/** How an action changes a user's policy for a topic; undefined when it stays. */
export async function raiseTopic(
  services: Services,
  user: User,
  topic: TopicView,
  action: TopicAction,
): Promise<RaisedTopic | undefined> {
  const unmute = topic.subscription?.isMuted
    ? (await getUserSettings(services.table, user)).automatically_unmute_topics_in_muted_streams_policy
    : undefined;
  const policy = wantedPolicy(action, { follow: followsFrom(user), unmute });
  if (policy === undefined) return undefined;
  const place = placeOf(topic);
  const key = channelKeys.topicPreference(user.userId, place.channelId, toCanonical(place.topic));
  const known = await services.table.find(key);
  if (!isRaise(known?.policy as TopicPolicy | undefined, policy)) return undefined;
  const change = await chooseTopic(services, user, place, policy, { isFit: isRaise });
  return change && { policy, change };
}

/**
 * How a mention at a position changes the policy of the mentioned user; undefined when it stays, and when the
 * user has chosen a policy since.
 */
export const followByMention = (
  services: Services,
  user: User,
  place: TopicPlace,
  position: number,
): Promise<Change | undefined> =>
  chooseTopic(services, user, place, topicPolicies.followed, { isFit: followsMention, asOf: position });

/** Whether a policy takes the place of that which the user has chosen, if any. */
type Fits = (current: TopicPolicy | undefined, wanted: RaisedPolicy) => boolean;

/** Users with too many preferences keep theirs unchanged. */
async function chooseTopic(
  services: Services,
  user: User,
  { channelId, topic }: TopicPlace,
  policy: RaisedPolicy,
  { isFit, asOf }: { isFit: Fits; asOf?: number },
): Promise<Change | undefined> {
  const state = await loadTopicState(services.table, user, channelId);
  const current = findPreference(state.preferences, channelId, topic)?.policy;
  const isOvertaken = asOf !== undefined && decidedAt(state, channelId, topic) > asOf;
  if (isOvertaken || !isFit(current, policy)) return undefined;
  const choice = { channelId, topic, policy, ...(asOf !== undefined && { asOf }) };
  const change = unlessRefused(() => choiceChange(state, choice, toSeconds(services.clock.nowMs())));
  return change instanceof BadRequest ? undefined : change;
}
