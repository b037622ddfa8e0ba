import * as z from 'zod/mini';
import { maxLength, notBlank, withoutNullBytes, withoutUnfitCharacters } from '#shared/api/parameters.ts';
import { viewLimits } from '#shared/domain/navigation-views/view.ts';

/** Operations name a view in their path, whose length is limited. */
const fitsIntoPath = z.refine<string>(
  (fragment) => encodeURIComponent(fragment).length <= viewLimits.encodedFragment,
  { error: `{p} is too long (limit: ${viewLimits.encodedFragment} characters when percent-encoded)` },
);

export const viewFragment = z.string().check(z.trim(), notBlank(), withoutNullBytes(), fitsIntoPath);

/** Plain text; the word `null` means no name, because a form cannot express null in another way. */
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
