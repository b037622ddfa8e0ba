import * as z from 'zod/mini';

/** A custom emoji as clients see it. */
export const emojiRecord = z.object({
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  still_url: z.nullable(z.string()),
  deactivated: z.boolean(),
  author_id: z.int(),
});
