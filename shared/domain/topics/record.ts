import { mayKnow } from '#shared/domain/channels/permissions.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { User } from '#shared/domain/users/user.ts';
import { inOrder, listMuted, type TopicPolicy, type TopicPreference } from './preference.ts';

/** The form in which clients know a preference; a removed one has the policy 0. */
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

/** The form in which old clients know muted topics. */
export const toMutedTopics = (
  preferences: TopicPreference[],
  user: User,
  viewOf: (channelId: number) => ChannelView | undefined,
): MutedTopic[] =>
  inOrder(listMuted(preferences)).map((one) => [
    shownName(one, user, viewOf(one.channelId)),
    one.topic,
    one.updatedAtSeconds,
  ]);

/** Users see the present name of a channel while they may know of it, and go on with the one that they knew. */
export const shownName = (
  { channelName }: TopicPreference,
  user: User,
  view: ChannelView | undefined,
): string => (view && mayKnow(user, view) ? view.channel.name : channelName);
