import { mayKnow } from '#shared/domain/channels/permissions.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { User } from '#shared/domain/users/user.ts';
import { inOrder, listMuted, type TopicPolicy, type TopicPreference } from './preference.ts';

/** The record of a preference for clients; a removed one has the policy 0. */
export const toTopicRecord = ({
  channelId,
  topic,
  updatedAtSeconds,
  policy,
}: Omit<TopicPreference, 'channelName' | 'policy'> & { policy: TopicPolicy }) => ({
  stream_id: channelId,
  topic_name: topic,
  last_updated: updatedAtSeconds,
  visibility_policy: policy,
});

export type MutedTopic = [channelName: string, topic: string, mutedAtSeconds: number];

/** The muted topics in the format of old clients. */
export const toMutedTopics = (
  preferences: TopicPreference[],
  user: User,
  viewOf: (channelId: number) => ChannelView | undefined,
): MutedTopic[] =>
  inOrder(listMuted(preferences)).map((preference) => [
    shownName(preference, user, viewOf(preference.channelId)),
    preference.topic,
    preference.updatedAtSeconds,
  ]);

/** The channel's present name while the user may know of it, otherwise the last name that they knew. */
export const shownName = (
  { channelName }: TopicPreference,
  user: User,
  view: ChannelView | undefined,
): string => (view && mayKnow(user, view) ? view.channel.name : channelName);
