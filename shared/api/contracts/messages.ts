import * as z from 'zod/mini';
import { emojiTypes } from '#shared/domain/emoji/emoji-type.ts';

const address = {
  type: z.string(),
  subject: z.string(),
  stream_id: z.optional(z.int()),
  display_recipient: z.union([
    z.string(),
    z.array(
      z.object({ id: z.int(), email: z.string(), full_name: z.string(), is_mirror_dummy: z.boolean() }),
    ),
  ]),
  recipient_id: z.int(),
};

const match = { match_content: z.string(), match_subject: z.string() };

/** A message with highlighted search matches. */
export const matchRecord = z.object(match);

/** A message with its flags for the caller. */
export const messageRecord = z.looseObject({
  id: z.int(),
  ...address,
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.nullable(z.string()),
  client: z.string(),
  content: z.string(),
  content_type: z.string(),
  timestamp: z.int(),
  is_me_message: z.boolean(),
  reactions: z.array(
    z.object({
      emoji_name: z.string(),
      emoji_code: z.string(),
      reaction_type: z.enum(emojiTypes),
      user_id: z.int(),
    }),
  ),
  submessages: z.array(
    z.object({
      id: z.int(),
      message_id: z.int(),
      sender_id: z.int(),
      msg_type: z.string(),
      content: z.string(),
    }),
  ),
  topic_links: z.array(z.unknown()),
  flags: z.array(z.string()),
  last_edit_timestamp: z.optional(z.int()),
  last_moved_timestamp: z.optional(z.int()),
  edit_history: z.optional(
    z.array(
      z.object({
        user_id: z.nullable(z.int()),
        timestamp: z.int(),
        prev_content: z.optional(z.string()),
        prev_rendered_content: z.optional(z.string()),
        prev_topic: z.optional(z.string()),
        topic: z.optional(z.string()),
        prev_stream: z.optional(z.int()),
        stream: z.optional(z.int()),
      }),
    ),
  ),
  match_content: z.optional(match.match_content),
  match_subject: z.optional(match.match_subject),
});
