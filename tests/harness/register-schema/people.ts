import * as z from 'zod';
import { groupValues, id, seconds } from './values.ts';

const role = z.literal([100, 200, 300, 400, 600]);
export const user = z.strictObject({
  user_id: id,
  email: z.string(),
  delivery_email: z.string().nullable(),
  full_name: z.string(),
  date_joined: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/),
  is_active: z.boolean(),
  is_admin: z.boolean(),
  is_owner: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  is_imported_stub: z.boolean(),
  role,
  timezone: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  bot_type: z.literal([1, 2, 3, 4]).optional(),
  bot_owner_id: id.nullable().optional(),
  is_system_bot: z.boolean().optional(),
  bot_commands: z.array(z.strictObject({ name: z.string(), description: z.string() })).optional(),
  profile_data: z
    .record(
      z.string().regex(/^\d+$/),
      z.strictObject({ value: z.string(), rendered_value: z.string().optional() }),
    )
    .optional(),
});

export const group = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  members: z.array(id),
  direct_subgroup_ids: z.array(id),
  is_system_group: z.boolean(),
  creator_id: id.nullable(),
  date_created: seconds.nullable(),
  deactivated: z.boolean(),
  ...groupValues(`
    can_add_members_group can_join_group can_leave_group can_manage_group can_mention_group
    can_remove_members_group
  `),
});

export const profileField = z.strictObject({
  id,
  type: z.int().min(1).max(8),
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z.string(),
  display_in_profile_summary: z.boolean().optional(),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  use_for_user_matching: z.boolean().optional(),
});

export const emoji = z.strictObject({
  id: z.string().regex(/^\d+$/),
  name: z.string(),
  source_url: z.string(),
  still_url: z.string().nullable(),
  deactivated: z.boolean(),
  author_id: id.nullable(),
});

export const bot = z.strictObject({
  user_id: id,
  default_all_public_streams: z.boolean(),
  default_events_register_stream: z.union([z.string(), id]).nullable(),
  default_sending_stream: z.union([z.string(), id]).nullable(),
  services: z.array(z.looseObject({})),
});

export const slimPresence = z.strictObject({ active_timestamp: seconds, idle_timestamp: seconds });

const statusThen = { client: z.literal('website'), status: z.enum(['active', 'idle']), timestamp: seconds };
export const legacyPresence = z.strictObject({
  aggregated: z.strictObject(statusThen),
  website: z.strictObject({ ...statusThen, pushable: z.boolean() }),
});

export const userStatus = z
  .strictObject({
    status_text: z.string().min(1),
    emoji_name: z.string().min(1),
    emoji_code: z.string().min(1),
    reaction_type: z.enum(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji']),
    away: z.literal(true),
  })
  .partial();
