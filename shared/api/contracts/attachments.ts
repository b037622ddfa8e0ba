import * as z from 'zod/mini';

/** An uploaded file, as its owner sees it. */
export const attachmentRecord = z.object({
  id: z.int(),
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  create_time: z.int(),
  message_ids: z.array(z.int()),
});
