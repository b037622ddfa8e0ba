import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { isSameTopic } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { choiceChange, findOpenChannel, isReadable } from './choose.ts';
import { findPreference, type TopicPreference, type TopicState, topicPolicies } from './preference.ts';
import { shownName } from './record.ts';

/** A topic as old clients name it. */
export interface NamedTopic {
  /** Id or name, as given. */
  channel: number | string;
  /** The channel's id, whether or not the user may know of it. */
  channelId: number | undefined;
  topic: string;
}

/**
 * Mutes a topic; undefined when it is muted already.
 * @throws BadRequest for a channel that the user may not read
 */
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
 * Unmutes a topic; other preferences stay. A muted topic can always be unmuted.
 * @throws BadRequest for a channel that the user may not read, unless a topic of it is muted
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

/** Compares names as the user sees them, so that hidden channel names do not leak. */
function findNamed(state: TopicState, { channel, topic }: NamedTopic): TopicPreference | undefined {
  const { preferences, user, views } = state;
  if (typeof channel === 'number') return findPreference(preferences, channel, topic);
  const isShown = (topicPreference: TopicPreference): boolean =>
    toCanonical(shownName(topicPreference, user, views.get(topicPreference.channelId))) ===
    toCanonical(channel);
  return preferences.find((preference) => isSameTopic(preference.topic, topic) && isShown(preference));
}
