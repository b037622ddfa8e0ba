import * as z from 'zod/mini';

/** Parts of results shared by several endpoints. */
export const versions = {
  service_version: z.string(),
  service_feature_level: z.number(),
  service_merge_base: z.string(),
  zulip_version: z.string(),
  zulip_feature_level: z.number(),
  zulip_merge_base: z.string(),
};

/** The result of an operation that returns nothing but success. */
export const nothing = z.strictObject({});

export const userRecord = z.looseObject({
  user_id: z.int(),
  email: z.string(),
  delivery_email: z.nullable(z.string()),
  full_name: z.string(),
  date_joined: z.string(),
  is_active: z.boolean(),
  is_admin: z.boolean(),
  is_owner: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  role: z.int(),
  timezone: z.string(),
  avatar_url: z.nullable(z.string()),
  avatar_version: z.int(),
});

export const scheduledRecord = z.object({
  scheduled_message_id: z.int(),
  type: z.enum(['stream', 'private']),
  to: z.union([z.int(), z.array(z.int())]),
  topic: z.optional(z.string()),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
});

export const reminderRecord = z.object({
  reminder_id: z.int(),
  type: z.literal('private'),
  to: z.array(z.int()),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
  reminder_target_message_id: z.int(),
});

export const channelRecord = z.looseObject({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.nullable(z.int()),
  default_push_notifications: z.boolean(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  is_archived: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  first_message_id: z.nullable(z.int()),
  folder_id: z.nullable(z.int()),
  is_recently_active: z.boolean(),
  is_announcement_only: z.boolean(),
  message_retention_days: z.nullable(z.int()),
  stream_post_policy: z.int(),
  stream_weekly_traffic: z.nullable(z.int()),
  subscriber_count: z.int(),
  topics_policy: z.string(),
});

export const subscriptionRecord = z.extend(channelRecord, {
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  pin_to_top: z.boolean(),
  desktop_notifications: z.nullable(z.boolean()),
  audible_notifications: z.nullable(z.boolean()),
  push_notifications: z.nullable(z.boolean()),
  email_notifications: z.nullable(z.boolean()),
  wildcard_mentions_notify: z.nullable(z.boolean()),
  subscribers: z.optional(z.array(z.int())),
  partial_subscribers: z.optional(z.array(z.int())),
});
