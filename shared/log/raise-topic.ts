import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import {
  followsFrom,
  followsMention,
  isRaise,
  type RaisedPolicy,
  type TopicDeed,
  wantedPolicy,
} from '#shared/domain/topics/automation.ts';
import { choiceChange } from '#shared/domain/topics/choose.ts';
import {
  decidedAt,
  findPreference,
  type TopicPolicy,
  topicPolicies,
} from '#shared/domain/topics/preference.ts';
import type { User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { loadTopicState } from '#shared/store/topic-preferences.ts';
import { getUserSettings } from '#shared/store/user-settings.ts';
import { keys } from '#shared/table/keys.ts';
import type { RaisedTopic, TopicOfDeed } from './own-topics.ts';

/** What a deed makes of somebody's preference for a topic; undefined where it stays. */
export async function raiseTopic(
  services: Services,
  user: User,
  { view, topic }: TopicOfDeed,
  deed: TopicDeed,
): Promise<RaisedTopic | undefined> {
  const unmute = view.subscription?.isMuted
    ? (await getUserSettings(services.table, user)).automatically_unmute_topics_in_muted_streams_policy
    : undefined;
  const policy = wantedPolicy(deed, { follow: followsFrom(user), unmute });
  if (policy === undefined) return undefined;
  const { channelId } = view.channel;
  const key = keys.topicPreference(user.userId, channelId, toCanonical(topic));
  const known = await services.table.find(key);
  if (!isRaise((known?.policy ?? topicPolicies.inherited) as TopicPolicy, policy)) return undefined;
  const change = await chooseTopic(services, user, { channelId, topic }, policy, { isFit: isRaise });
  return change && { policy, change };
}

/**
 * What a mention at a position makes of the preference of a user whom it names; undefined where it stays, and where the
 * user has decided about the topic since.
 */
export const followByMention = (
  services: Services,
  user: User,
  place: { channelId: number; topic: string },
  position: number,
): Promise<Change | undefined> =>
  chooseTopic(services, user, place, topicPolicies.followed, { isFit: followsMention, asOf: position });

/** Whoever has no room for another preference keeps what they have. */
async function chooseTopic(
  services: Services,
  user: User,
  { channelId, topic }: { channelId: number; topic: string },
  policy: RaisedPolicy,
  { isFit, asOf }: { isFit: (current: TopicPolicy, wanted: RaisedPolicy) => boolean; asOf?: number },
): Promise<Change | undefined> {
  const state = await loadTopicState(services.table, user, channelId);
  const current = findPreference(state.preferences, channelId, topic)?.policy ?? topicPolicies.inherited;
  const isOvertaken = asOf !== undefined && decidedAt(state, channelId, topic) > asOf;
  if (isOvertaken || !isFit(current, policy)) return undefined;
  try {
    return choiceChange(
      state,
      { channelId, topic, policy, ...(asOf !== undefined && { asOf }) },
      toSeconds(services.clock.nowMs()),
    );
  } catch (failure) {
    if (failure instanceof BadRequest) return undefined;
    throw failure;
  }
}
