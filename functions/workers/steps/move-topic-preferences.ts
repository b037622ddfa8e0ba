import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import { choiceChange } from '#shared/domain/topics/choose.ts';
import { movedPolicy } from '#shared/domain/topics/moved.ts';
import {
  decidedAt,
  findPreference,
  type TopicPolicy,
  topicPolicies,
} from '#shared/domain/topics/preference.ts';
import { unlessRefused } from '#shared/domain/unless-refused.ts';
import { commit, withFreshState } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listPreferringIds, loadTopicState } from '#shared/store/topics/topic-preferences.ts';
import { listUsersById } from '#shared/store/users/users.ts';

/**
 * Moves topic preferences with a completely moved topic, except for users who have chosen a policy for the
 * new topic since.
 */
export async function moveTopicPreferences(
  services: Services,
  payload: JobPayloads['move-topic-preferences'],
  _step: number,
  position: number,
): Promise<Change | undefined> {
  const { table } = services;
  const userIds = await listPreferringIds(table, [payload.from, payload.to]);
  for (const user of await listUsersById(table, userIds))
    await withFreshState(services, () => moveOf(services, user.userId, payload, position));
  return undefined;
}

/** The new topic first, then the old one: an interrupted run finds both and has the same result. */
async function moveOf(
  services: Services,
  userId: number,
  { from, to, isMerged }: JobPayloads['move-topic-preferences'],
  position: number,
): Promise<void> {
  const set = async (place: TopicPlace, policyOf: (own: TopicPolicy, other: TopicPolicy) => TopicPolicy) => {
    const [user] = await listUsersById(services.table, [userId]);
    if (!user) return;
    const state = await loadTopicState(services.table, user, place.channelId);
    const policyAt = ({ channelId, topic }: TopicPlace): TopicPolicy =>
      findPreference(state.preferences, channelId, topic)?.policy ?? topicPolicies.inherited;
    if (decidedAt(state, place.channelId, place.topic) > position) return;
    const choice = { ...place, policy: policyOf(policyAt(from), policyAt(to)), asOf: position };
    const change = unlessRefused(() => choiceChange(state, choice, toSeconds(services.clock.nowMs())));
    // Users who may not read the new topic, or have too many preferences, get none for it.
    if (change && !(change instanceof BadRequest)) await commit(services, change);
  };
  await set(to, (old, present) => movedPolicy(old, present, isMerged));
  await set(from, () => topicPolicies.inherited);
}
