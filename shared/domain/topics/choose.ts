import type { Change } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { hasContentAccess } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Write } from '#shared/table/table.ts';
import {
  findPreference,
  listMuted,
  type Removal,
  type TopicPolicy,
  type TopicPreference,
  type TopicState,
  topicPolicies,
} from './preference.ts';
import { toMutedTopics, toTopicRecord } from './record.ts';

/**
 * Every event lists all muted topics with their channels for old clients, and a log entry is limited to 400
 * KB.
 */
export const preferenceLimits = { topics: 2_000, mutedTopics: 700 } as const;

export interface TopicChoice {
  channelId: number;
  topic: string;
  policy: TopicPolicy;
  /** For jobs: the log position of the cause, as of which the job decides. */
  asOf?: number;
}

/** Whether the user may read new messages of the channel, archived or not. */
export function isReadable({ user, views }: TopicState, channelId: number): boolean {
  const view = views.get(channelId);
  return view !== undefined && hasContentAccess(user, view);
}

/** The channel, if the user may set policies for its topics. */
export function findOpenChannel(state: TopicState, channelId: number): Channel | undefined {
  const channel = isReadable(state, channelId) ? state.views.get(channelId)?.channel : undefined;
  return channel?.isArchived ? undefined : channel;
}

/**
 * Sets or removes a preference; undefined when nothing changes. An existing preference can always be removed.
 * @throws BadRequest for a channel that the user may not read, and for too many preferences
 */
export function choiceChange(state: TopicState, choice: TopicChoice, nowSeconds: number): Change | undefined {
  const { channelId, topic, policy, asOf } = choice;
  const previous = findPreference(state.preferences, channelId, topic);
  const others = state.preferences.filter((preference) => preference !== previous);
  if (policy === topicPolicies.inherited) {
    if (previous) return changeTo(state, others, { ...previous, policy, updatedAtSeconds: nowSeconds }, asOf);
    if (!isReadable(state, channelId)) throw new BadRequest('Invalid channel ID');
    return undefined;
  }
  const channel = findOpenChannel(state, channelId);
  if (!channel) throw new BadRequest('Invalid channel ID');
  if (previous?.policy === policy) return undefined;
  const spelled = previous?.topic ?? topic;
  const next = { channelId, channelName: channel.name, topic: spelled, policy, updatedAtSeconds: nowSeconds };
  const preferences = [...others, next];
  requireRoom(preferences);
  return changeTo(state, preferences, next, asOf);
}

function requireRoom(preferences: TopicPreference[]): void {
  const { topics, mutedTopics } = preferenceLimits;
  if (preferences.length > topics)
    throw new BadRequest(`You cannot have preferences for more than ${topics} topics`);
  if (listMuted(preferences).length > mutedTopics)
    throw new BadRequest(`You cannot mute more than ${mutedTopics} topics`);
}

type Chosen = Omit<TopicPreference, 'policy'> & { policy: TopicPolicy };

/** Writes the preference, and the revision that keeps changes of the same user in order. */
function changeTo(
  state: TopicState,
  preferences: TopicPreference[],
  chosen: Chosen,
  asOf: number | undefined,
): Change {
  const { user, views } = state;
  const key = channelKeys.topicPreference(user.userId, chosen.channelId, toCanonical(chosen.topic));
  const isRemoved = chosen.policy === topicPolicies.inherited;
  const audience = { kind: 'users' as const, userIds: [user.userId] };
  const mutedTopics = toMutedTopics(preferences, user, (channelId) => views.get(channelId));
  return {
    writes: (written) => {
      const position = asOf ?? written;
      return [
        isRemoved ? { kind: 'delete', key } : { kind: 'put', item: { ...key, ...chosen, position } },
        ...preferrerWrites(state, chosen),
        revisionWrite(state, isRemoved ? { ...chosen, position } : undefined),
      ];
    },
    events: [
      { audience, payload: { type: 'user_topic', ...toTopicRecord(chosen) } },
      { audience, payload: { type: 'muted_topics', muted_topics: mutedTopics } },
    ],
  };
}

/** Lets a move of the topic find the users whose preferences move with it. */
function preferrerWrites({ user, preferences }: TopicState, chosen: Chosen): Write[] {
  const { channelId, topic, policy } = chosen;
  const userIds = new Set([user.userId]);
  const key = channelKeys.topicPreferrers(channelId, toCanonical(topic));
  if (policy === topicPolicies.inherited) return [{ kind: 'update', key, take: { userIds } }];
  const isNew = findPreference(preferences, channelId, topic) === undefined;
  return isNew ? [{ kind: 'update', key, add: { userIds } }] : [];
}

/** More than a user removes while a job about one of the topics is running. */
const KEPT_REMOVALS = 20;

function revisionWrite({ user, revision, removals }: TopicState, removal: Removal | undefined): Write {
  const added = removal && { channelId: removal.channelId, topic: removal.topic, position: removal.position };
  const kept = [...removals, ...(added ? [added] : [])].slice(-KEPT_REMOVALS);
  return {
    kind: 'put',
    item: {
      ...channelKeys.topicPreferenceRevision(user.userId),
      revision: revision + 1,
      ...(kept.length > 0 && { removals: kept }),
    },
    condition: revision === 0 ? { exists: false } : { equals: { revision } },
  };
}
