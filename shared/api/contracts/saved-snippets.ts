import * as z from 'zod/mini';
import { maxLength, notBlank, withoutNullBytes, withoutUnfitCharacters } from '#shared/api/parameters.ts';
import { limits } from '#shared/domain/channels/channel.ts';
import { MAX_TITLE_LENGTH } from '#shared/domain/saved-snippets/snippet.ts';

export const snippetTitle = z
  .string()
  .check(z.trim(), notBlank(), maxLength(MAX_TITLE_LENGTH), withoutNullBytes(), withoutUnfitCharacters());
export const snippetContent = z.string().check(notBlank(), maxLength(limits.message), withoutNullBytes());

/** The record of a saved snippet. */
export const snippetRecord = z.strictObject({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  date_created: z.int(),
});
