import * as z from 'zod/mini';
import { json, jsonOrText, maxLength, optional, text, type ValuesOf } from '#shared/api/parameters.ts';
import { channelGroupSettings, limits, topicsPolicies } from '#shared/domain/channels/channel.ts';
import type { ChannelEdit } from '#shared/domain/channels/edit.ts';
import { groupSetting } from './group-setting.ts';

const groupChange = (description: string) =>
  optional(json(z.object({ new: groupSetting, old: z.optional(groupSetting) }), description));

/** The parameters of `PATCH /streams/{stream_id}`. */
export const editChannelParameters = {
  stream_id: json(z.int(), 'The channel'),
  description: optional(text(z.string().check(maxLength(limits.channelDescription)), 'A description')),
  new_name: optional(text(z.string(), 'Another name')),
  is_private: optional(json(z.boolean(), 'Whether only subscribers may read it')),
  is_web_public: optional(json(z.boolean(), 'Whether anyone on the Internet may read it')),
  history_public_to_subscribers: optional(json(z.boolean(), 'New subscribers may read older messages')),
  is_default_stream: optional(json(z.boolean(), 'New users are subscribed to it')),
  message_retention_days: optional(
    jsonOrText(z.union([z.string(), z.int()]), 'Days to keep messages, `realm_default` or `unlimited`'),
  ),
  topics_policy: optional(jsonOrText(z.enum(topicsPolicies), 'Whether messages may have the empty topic')),
  default_push_notifications: optional(
    json(z.boolean(), 'Whether mobile notifications are on for new subscribers'),
  ),
  folder_id: optional(json(z.nullable(z.int()), 'Its folder; null removes it from its folder')),
  is_archived: optional(json(z.literal(false), 'Brings an archived channel back')),
  can_add_subscribers_group: groupChange('Who may subscribe others'),
  can_administer_channel_group: groupChange('Who may administer the channel'),
  can_create_topic_group: groupChange('Who may start topics'),
  can_delete_any_message_group: groupChange('Who may delete any message'),
  can_delete_own_message_group: groupChange('Who may delete their own messages'),
  can_move_messages_out_of_channel_group: groupChange('Who may move messages out'),
  can_move_messages_within_channel_group: groupChange('Who may move messages within'),
  can_remove_subscribers_group: groupChange('Who may unsubscribe others'),
  can_resolve_topics_group: groupChange('Who may resolve topics'),
  can_send_message_group: groupChange('Who may post'),
  can_subscribe_group: groupChange('Who may subscribe themselves'),
};

/** Translates the parameters into an edit. */
export const readEdit = (params: ValuesOf<typeof editChannelParameters>): ChannelEdit => ({
  name: params.new_name,
  description: params.description,
  isPrivate: params.is_private,
  isWebPublic: params.is_web_public,
  isHistoryPublic: params.history_public_to_subscribers,
  isDefault: params.is_default_stream,
  isArchived: params.is_archived,
  messageRetentionDays: params.message_retention_days,
  topicsPolicy: params.topics_policy,
  defaultPushNotifications: params.default_push_notifications,
  folderId: params.folder_id,
  groups: Object.fromEntries(
    channelGroupSettings.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])),
  ),
});

/** A complete topic name: longer ones are refused, not cut. */
export const wholeTopic = z.string().check(z.trim(), maxLength(limits.topic));
