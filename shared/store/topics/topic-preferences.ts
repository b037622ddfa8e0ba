import { groupSettingsOf, hasContentAccess } from '#shared/domain/channels/permissions.ts';
import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import {
  listMuted,
  type Removal,
  type TopicPreference,
  type TopicState,
} from '#shared/domain/topics/preference.ts';
import type { User } from '#shared/domain/users/user.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { channelKeys, channelPrefixes } from '#shared/table/keys/channels.ts';
import { userPartitions } from '#shared/table/keys/users.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

/** All topic preferences of the user. One query. */
export async function listTopicPreferences(table: Table, userId: number): Promise<TopicPreference[]> {
  return (await load(table, userId)).preferences;
}

/** The state for changing topic preferences: all of the user's preferences, and the channels concerned. */
export async function loadTopicState(
  table: Table,
  user: User,
  channelId: number | undefined,
): Promise<TopicState> {
  const { revision, removals, preferences } = await load(table, user.userId);
  const views: ChannelViews = new Map();
  const muted = listMuted(preferences).map(({ channelId: mutedId }) => mutedId);
  await loadChannelViews(table, user.userId, views, channelId === undefined ? muted : [channelId, ...muted]);
  const closed = [...views.values()].filter((view) => !hasContentAccess(user, view));
  await learnMemberships(
    table,
    user,
    closed.flatMap(({ channel }) => groupSettingsOf(channel)),
  );
  return { user, revision, removals, preferences, views };
}

/** The users with a preference for one of these topics, ascending. */
export async function listPreferringIds(table: Table, places: TopicPlace[]): Promise<number[]> {
  const items = await table.findMany(
    places.map(({ channelId, topic }) => channelKeys.topicPreferrers(channelId, toCanonical(topic))),
  );
  const ids = items.flatMap(({ userIds }) => [...((userIds as Set<number> | undefined) ?? [])]);
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** The revision sorts first: items read after it are at least as new, or the revision will not match. */
async function load(table: Table, userId: number) {
  const items = await table.list({
    partition: userPartitions.user(userId),
    prefix: channelPrefixes.topicPreference,
    consistent: true,
  });
  const { sk } = channelKeys.topicPreferenceRevision(userId);
  const counter = items.find((item) => item.sk === sk);
  const revision = Number(counter?.revision ?? 0);
  const removals = (counter?.removals ?? []) as Removal[];
  return { revision, removals, preferences: items.filter((item) => item.sk !== sk).map(toPreference) };
}

const toPreference = (item: Item): TopicPreference => recordOf<TopicPreference>(item);
