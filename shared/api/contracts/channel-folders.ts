import * as z from 'zod/mini';
import { maxLength } from '#shared/api/parameters.ts';
import { folderLimits } from '#shared/domain/channels/folders.ts';

/** The record of a channel folder. */
export const folderRecord = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  order: z.int(),
  date_created: z.int(),
  creator_id: z.int(),
  is_archived: z.boolean(),
});

export const folderName = z.string().check(maxLength(folderLimits.name));
export const folderDescription = z.string().check(maxLength(folderLimits.description));
