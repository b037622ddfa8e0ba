import * as z from 'zod';
import { groupValues, id, seconds } from './values.ts';

export const channelFields = {
  stream_id: id,
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: seconds,
  creator_id: id.nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  is_archived: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  first_message_id: id.nullable(),
  default_push_notifications: z.boolean(),
  folder_id: id.nullable(),
  is_recently_active: z.boolean(),
  is_announcement_only: z.boolean(),
  message_retention_days: z.int().nullable(),
  stream_post_policy: z.literal([1, 2, 3, 4]),
  stream_weekly_traffic: z.int().nullable(),
  subscriber_count: id,
  topics_policy: z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']),
  ...groupValues(`
    can_add_subscribers_group can_administer_channel_group can_create_topic_group
    can_delete_any_message_group can_delete_own_message_group can_move_messages_out_of_channel_group
    can_move_messages_within_channel_group can_remove_subscribers_group can_resolve_topics_group
    can_send_message_group can_subscribe_group
  `),
};
export const subscribers = {
  subscribers: z.array(id).optional(),
  partial_subscribers: z.array(id).optional(),
};
export const subscriptionFields = {
  ...channelFields,
  ...subscribers,
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  pin_to_top: z.boolean(),
  desktop_notifications: z.boolean().nullable(),
  audible_notifications: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
};

export const folder = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  order: z.int(),
  date_created: seconds,
  creator_id: id.nullable(),
  is_archived: z.boolean(),
});
