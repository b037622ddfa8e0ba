import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { isSameTopic } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { choiceChange, findOpenChannel, isReadable } from './choose.ts';
import { findPreference, type TopicPreference, type TopicState, topicPolicies } from './preference.ts';
import { shownName } from './record.ts';

/** A topic as old clients speak of it. */
export interface NamedTopic {
  /** As it was given: id or name. */
  channel: number | string;
  /** What stands behind it, whether or not the user may know. */
  channelId: number | undefined;
  topic: string;
}

/** Mutes a topic; nothing when it is muted already. @throws BadRequest for a channel that the user may not read */
export function muteTopicChange(
  state: TopicState,
  named: NamedTopic,
  nowSeconds: number,
): Change | undefined {
  const { channel, channelId, topic } = named;
  if (channelId === undefined || !findOpenChannel(state, channelId))
    throw new BadRequest(
      typeof channel === 'number' ? 'Invalid channel ID' : `Invalid channel name '${channel}'`,
    );
  return choiceChange(state, { channelId, topic, policy: topicPolicies.muted }, nowSeconds);
}

/**
 * Takes back that a topic is muted; other preferences stay. What is muted can be unmuted wherever it is.
 * @throws BadRequest for a channel that the user may not read and has muted nothing of
 */
export function unmuteTopicChange(
  state: TopicState,
  named: NamedTopic,
  nowSeconds: number,
): Change | undefined {
  const preference = findNamed(state, named);
  if (preference?.policy === topicPolicies.muted) {
    const { channelId, topic } = preference;
    return choiceChange(state, { channelId, topic, policy: topicPolicies.inherited }, nowSeconds);
  }
  if (!preference && (named.channelId === undefined || !isReadable(state, named.channelId)))
    throw new BadRequest('Topic is not muted');
  return undefined;
}

/** A name is the one that the user is shown, lest it tell what a channel is called that they may not know of. */
function findNamed(state: TopicState, { channel, topic }: NamedTopic): TopicPreference | undefined {
  const { preferences, user, views } = state;
  if (typeof channel === 'number') return findPreference(preferences, channel, topic);
  const isShown = (one: TopicPreference): boolean =>
    toCanonical(shownName(one, user, views.get(one.channelId))) === toCanonical(channel);
  return preferences.find((one) => isSameTopic(one.topic, topic) && isShown(one));
}
