import * as z from 'zod/mini';
import type { ChannelRequest } from '#shared/actions/channels/new-channels.ts';
import { json, jsonOrText, maxLength, optional, type ValuesOf, withDefault } from '#shared/api/parameters.ts';
import { channelGroupSettings, limits, topicsPolicies } from '#shared/domain/channels/channel.ts';
import { checkChannelName, type NewChannelSettings } from '#shared/domain/channels/create.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { groupSetting } from './group-setting.ts';

const group = (description: string) => optional(json(groupSetting, description));
const yesOrNo = (fallback: boolean, description: string) =>
  withDefault(json(z.boolean(), description), fallback);

/** Channels by name, with the properties of new ones. */
export const channelObjects = json(
  z.array(
    z.object({
      name: z.string(),
      description: z.optional(z.string().check(maxLength(limits.channelDescription))),
      color: z.optional(z.string()),
    }),
  ),
  'Channels by name, each with a description that a new one gets',
);

/** The settings of new channels (reference). */
export const newChannelParameters = {
  send_new_subscription_messages: yesOrNo(true, 'Whether people subscribed by the caller are notified'),
  announce: yesOrNo(false, 'Whether the notification bot announces new channels'),
  invite_only: yesOrNo(false, 'New channels are private'),
  is_web_public: yesOrNo(false, 'Anyone on the Internet may read the new channels'),
  is_default_stream: yesOrNo(false, 'New users are subscribed to new channels'),
  history_public_to_subscribers: optional(json(z.boolean(), 'New subscribers may read older messages')),
  message_retention_days: optional(
    jsonOrText(z.union([z.string(), z.int()]), 'Days to keep messages, `realm_default` or `unlimited`'),
  ),
  topics_policy: withDefault(
    jsonOrText(z.enum(topicsPolicies), 'Whether messages may have the empty topic'),
    'inherit',
  ),
  default_push_notifications: yesOrNo(false, 'Whether mobile notifications are on for new subscribers'),
  folder_id: withDefault(json(z.nullable(z.int()), 'The folder of new channels'), null),
  can_add_subscribers_group: group('Who may subscribe others'),
  can_administer_channel_group: group('Who may administer the channel'),
  can_create_topic_group: group('Who may start topics'),
  can_delete_any_message_group: group('Who may delete any message'),
  can_delete_own_message_group: group('Who may delete their own messages'),
  can_move_messages_out_of_channel_group: group('Who may move messages out'),
  can_move_messages_within_channel_group: group('Who may move messages within'),
  can_remove_subscribers_group: group('Who may unsubscribe others'),
  can_resolve_topics_group: group('Who may resolve topics'),
  can_send_message_group: group('Who may post'),
  can_subscribe_group: group('Who may subscribe themselves'),
};

/** The parameters of `POST /users/me/subscriptions` (reference). */
export const subscribeParameters = {
  subscriptions: channelObjects,
  principals: optional(
    json(
      z.union([z.array(z.int()), z.array(z.string())]),
      'User ids or e-mail addresses; the caller when absent',
    ),
  ),
  authorization_errors_fatal: yesOrNo(true, 'Whether one unauthorized channel fails the whole call'),
  ...newChannelParameters,
};

/** The settings for channels that the call creates. */
export function readSettings(params: ValuesOf<typeof newChannelParameters>): NewChannelSettings {
  const asked = channelGroupSettings.flatMap((name) =>
    params[name] === undefined ? [] : [[name, params[name]]],
  );
  return {
    isPrivate: params.invite_only,
    isWebPublic: params.is_web_public,
    isDefault: params.is_default_stream,
    isHistoryPublic: params.history_public_to_subscribers,
    messageRetentionDays: params.message_retention_days,
    topicsPolicy: params.topics_policy,
    defaultPushNotifications: params.default_push_notifications,
    folderId: params.folder_id,
    groups: Object.fromEntries(asked),
  };
}

/** The requested channels; names that differ only in letter case count once. @throws BadRequest */
export function readRequests(
  input: { name: string; description?: string | undefined; color?: string | undefined }[],
): ChannelRequest[] {
  const requests = input.map(({ name, description = '', color }, index): ChannelRequest => {
    if (color !== undefined && !isColor(color))
      throw new BadRequest(`subscriptions[${index}]["color"] is not a valid hex color code`);
    return { name: checkChannelName(name), description, color: color?.toLowerCase() };
  });
  return [...new Map(requests.map((request) => [toCanonical(request.name), request])).values()];
}

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Channel names by user id, in the form of the replies. */
export const namesByUser = (rows: [userId: number, name: string][]): Record<string, string[]> => {
  const groups = Map.groupBy(rows, ([userId]) => String(userId));
  return Object.fromEntries([...groups].map(([userId, group]) => [userId, group.map(([, name]) => name)]));
};
