import * as z from 'zod/mini';
import { viewLimits } from '#shared/domain/navigation/view.ts';
import { maxLength, notBlank, withoutNullBytes, withoutUnfitCharacters } from './parameters.ts';

/** Its own operations name a view in their path, which may be only so long. */
const fitsIntoPath = z.refine<string>(
  (fragment) => encodeURIComponent(fragment).length <= viewLimits.encodedFragment,
  { error: `{p} is too long (limit: ${viewLimits.encodedFragment} characters when percent-encoded)` },
);

export const viewFragment = z.string().check(z.trim(), notBlank(), withoutNullBytes(), fitsIntoPath);

/** Plain text, where the word `null` stands for no name: there is no other way to write that in a form. */
export const viewName = z.pipe(
  z.string().check(z.trim(), maxLength(viewLimits.name), withoutNullBytes(), withoutUnfitCharacters()),
  z.transform((name: string) => (name === 'null' ? null : name)),
);

/** The record of a navigation view; built-in views have no name. */
export const viewRecord = z.strictObject({
  fragment: z.string(),
  is_pinned: z.boolean(),
  name: z.optional(z.string()),
});
