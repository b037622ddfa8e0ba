import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { createChannelFolder } from '../channel-folders/create-channel-folder.ts';
import { editChannelFolder } from '../channel-folders/edit-channel-folder.ts';
import { listChannelFolders } from '../channel-folders/list-channel-folders.ts';
import { reorderChannelFolders } from '../channel-folders/reorder-channel-folders.ts';
import { addDefaultChannel } from '../channels/add-default-channel.ts';
import { archiveChannel } from '../channels/archive-channel.ts';
import { createChannel } from '../channels/create-channel.ts';
import { editChannel } from '../channels/edit-channel.ts';
import { editSubscription } from '../channels/edit-subscription.ts';
import { editSubscriptionProperties } from '../channels/edit-subscription-properties.ts';
import { getChannel } from '../channels/get-channel.ts';
import { getChannelEmailAddress } from '../channels/get-channel-email-address.ts';
import { getChannelId } from '../channels/get-channel-id.ts';
import { getSubscriptionStatus } from '../channels/get-subscription-status.ts';
import { listChannelMembers } from '../channels/list-channel-members.ts';
import { listChannels } from '../channels/list-channels.ts';
import { listChannelsOfUser } from '../channels/list-channels-of-user.ts';
import { listSubscriptions } from '../channels/list-subscriptions.ts';
import { listTopics } from '../channels/list-topics.ts';
import { removeDefaultChannel } from '../channels/remove-default-channel.ts';
import { subscribe } from '../channels/subscribe.ts';
import { unsubscribe } from '../channels/unsubscribe.ts';
import { createDefaultGroup } from '../default-channel-groups/create-default-group.ts';
import { deleteDefaultGroup } from '../default-channel-groups/delete-default-group.ts';
import { editDefaultGroup } from '../default-channel-groups/edit-default-group.ts';
import { editDefaultGroupChannels } from '../default-channel-groups/edit-default-group-channels.ts';
import { addChannelFeed } from '../feeds/add-channel-feed.ts';
import { listChannelFeeds } from '../feeds/list-channel-feeds.ts';
import { removeChannelFeed } from '../feeds/remove-channel-feed.ts';
import { setTopicPolicy } from '../topics/set-topic-policy.ts';
import { updateMutedTopic } from '../topics/update-muted-topic.ts';

/** Channels, subscriptions and topics. */
export const channelRoutes = {
  addChannelFeed,
  addDefaultChannel,
  archiveChannel,
  createChannel,
  createChannelFolder,
  createDefaultGroup,
  deleteDefaultGroup,
  editChannel,
  editChannelFolder,
  editDefaultGroup,
  editDefaultGroupChannels,
  editSubscription,
  editSubscriptionProperties,
  getChannel,
  getChannelEmailAddress,
  getChannelId,
  getSubscriptionStatus,
  listChannelFeeds,
  listChannelFolders,
  listChannelMembers,
  listChannels,
  listChannelsOfUser,
  listSubscriptions,
  listTopics,
  removeChannelFeed,
  removeDefaultChannel,
  reorderChannelFolders,
  setTopicPolicy,
  subscribe,
  unsubscribe,
  updateMutedTopic,
} satisfies Record<string, AnyEndpoint>;
