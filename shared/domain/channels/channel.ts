import { type GroupSetting, systemGroups } from '#shared/domain/user-groups/group-setting.ts';

/** The group settings of a channel, under their names in the protocol. */
export const channelGroupSettings = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_create_topic_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'can_subscribe_group',
] as const;
export type ChannelGroupSetting = (typeof channelGroupSettings)[number];

export const topicsPolicies = [
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
] as const;
export type TopicsPolicy = (typeof topicsPolicies)[number];

export interface Channel {
  channelId: number;
  name: string;
  /** Markdown source. */
  description: string;
  descriptionHtml: string;
  createdAtSeconds: number;
  creatorId: number | null;
  isPrivate: boolean;
  isWebPublic: boolean;
  isArchived: boolean;
  /** For archived channels: it was a default channel and becomes one again when unarchived. */
  wasDefault?: boolean;
  /** New subscribers may read older messages. */
  isHistoryPublic: boolean;
  firstMessageId: number | null;
  /** The day of the last message; approximate, because it moves at most once a day. */
  lastActiveAtSeconds: number;
  folderId: number | null;
  topicsPolicy: TopicsPolicy;
  /** Mobile notifications are on for first-time subscribers. Absent is false. */
  defaultPushNotifications?: boolean;
  /** null inherits the organization's setting; -1 keeps messages forever. */
  messageRetentionDays: number | null;
  subscriberCount: number;
  /** Messages per week at the last daily count; null or absent while there is too little data. */
  weeklyTraffic?: number | null;
  /** Whether there was a message in the last half year at the last daily count; absent counts as true. */
  isRecentlyActive?: boolean;
  /** Counts changes, except changes of the number of subscribers and of data derived from messages. */
  revision?: number;
  /** Counts subscriptions and unsubscriptions. */
  memberRevision?: number;
  groups: Record<ChannelGroupSetting, GroupSetting>;
}

export const limits = {
  channelName: 60,
  channelDescription: 1024,
  topic: 60,
  message: 10_000,
} as const;

const RECENTLY_ACTIVE_SECONDS = 180 * 24 * 3600;

/** A channel without a message for half a year is inactive. */
export const isActiveAt = ({ lastActiveAtSeconds }: Channel, nowSeconds: number): boolean =>
  nowSeconds - lastActiveAtSeconds < RECENTLY_ACTIVE_SECONDS;

/** The condition that the channel's settings have not changed since it was read. */
export const unchanged = ({ revision = 0 }: Channel) => ({ belowOrAbsent: { revision: revision + 1 } });

/**
 * The condition that its subscribers have not changed either. Events that describe a whole channel depend on
 * it, and so do changes that would make them false: of two changes, the earlier one in the log may be the
 * later one to commit.
 */
export const unmoved = (channel: Channel) => ({
  belowOrAbsent: { ...unchanged(channel).belowOrAbsent, memberRevision: (channel.memberRevision ?? 0) + 1 },
});

/** The channel record of the protocol. */
export function toChannelRecord(channel: Channel) {
  const postPolicy = legacyPostPolicy(channel.groups.can_send_message_group);
  return {
    stream_id: channel.channelId,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.descriptionHtml,
    date_created: channel.createdAtSeconds,
    creator_id: channel.creatorId,
    default_push_notifications: channel.defaultPushNotifications ?? false,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_archived: channel.isArchived,
    history_public_to_subscribers: channel.isHistoryPublic,
    first_message_id: channel.firstMessageId,
    folder_id: channel.folderId,
    is_recently_active: channel.isRecentlyActive ?? true,
    is_announcement_only: postPolicy === 2,
    message_retention_days: channel.messageRetentionDays,
    stream_post_policy: postPolicy,
    stream_weekly_traffic: channel.weeklyTraffic ?? null,
    subscriber_count: channel.subscriberCount,
    topics_policy: channel.topicsPolicy,
    ...channel.groups,
  };
}
export type ChannelRecord = ReturnType<typeof toChannelRecord>;

/** The closest value of the deprecated number for who may post. */
export function legacyPostPolicy(canSend: GroupSetting): number {
  if (canSend === systemGroups.moderators) return 4;
  if (canSend === systemGroups.fullMembers) return 3;
  const few: GroupSetting[] = [systemGroups.administrators, systemGroups.owners, systemGroups.nobody];
  return few.includes(canSend) ? 2 : 1;
}

/** The group settings of a new channel unless its creator requests others. */
export const defaultChannelGroups = (creatorId: number): Record<ChannelGroupSetting, GroupSetting> => ({
  can_add_subscribers_group: systemGroups.nobody,
  can_administer_channel_group: { direct_members: [creatorId], direct_subgroups: [] },
  can_create_topic_group: systemGroups.everyone,
  can_delete_any_message_group: systemGroups.nobody,
  can_delete_own_message_group: systemGroups.nobody,
  can_move_messages_out_of_channel_group: systemGroups.nobody,
  can_move_messages_within_channel_group: systemGroups.nobody,
  can_remove_subscribers_group: systemGroups.administrators,
  can_resolve_topics_group: systemGroups.nobody,
  can_send_message_group: systemGroups.everyone,
  can_subscribe_group: systemGroups.nobody,
});
