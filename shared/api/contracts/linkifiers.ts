import * as z from 'zod/mini';
import { json, notBlank, optional, text, type ValuesOf } from '#shared/api/parameters.ts';
import type { GivenLinkifier } from '#shared/domain/linkifiers/edit.ts';

export const linkifierPattern = text(
  z.string().check(z.trim(), notBlank()),
  'A regular expression (RE2) with named groups: the text that becomes a link',
);
export const linkifierTemplate = text(
  z.string().check(z.trim(), notBlank()),
  'The address of the link: an RFC 6570 template whose variables are the named groups of the pattern',
);

const trimmed = z.string().check(z.trim());

/** Optional parameters of a linkifier. */
export const linkifierExtras = {
  example_input: optional(text(trimmed, 'A text that the pattern matches; may be empty')),
  reverse_template: optional(
    text(trimmed, 'The text that replaces a pasted address, with groups in braces; may be empty'),
  ),
  alternative_url_templates: optional(
    json(z.array(trimmed), 'Other templates whose addresses are turned into text when they are pasted'),
  ),
};

/** The given parameters only; an empty text counts as not given. */
export function givenExtras(params: ValuesOf<typeof linkifierExtras>): Partial<GivenLinkifier> {
  const { example_input, reverse_template, alternative_url_templates } = params;
  return {
    ...(example_input !== undefined && { exampleInput: example_input || null }),
    ...(reverse_template !== undefined && { reverseTemplate: reverse_template || null }),
    ...(alternative_url_templates && { alternativeUrlTemplates: alternative_url_templates }),
  };
}

export const linkifierRecord = z.object({
  id: z.int(),
  pattern: z.string(),
  url_template: z.string(),
  example_input: z.nullable(z.string()),
  reverse_template: z.nullable(z.string()),
  alternative_url_templates: z.array(z.string()),
});
