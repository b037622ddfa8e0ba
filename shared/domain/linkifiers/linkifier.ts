import { BadRequest } from '#shared/domain/errors.ts';

/** Text of messages that matches a pattern becomes a link. */
export interface Linkifier {
  id: number;
  /** A regular expression in the syntax of RE2, with named groups. */
  pattern: string;
  /** The address of the link (RFC 6570), made of what the groups matched. */
  urlTemplate: string;
  /** With these clients turn an address that is pasted into the text that becomes a link to it. */
  exampleInput: string | null;
  reverseTemplate: string | null;
  alternativeUrlTemplates: string[];
}

/** All of them, in the order in which they are applied. */
export interface Linkifiers {
  linkifiers: Linkifier[];
  lastId: number;
  revision: number;
}

export const toLinkifierRecord = (linkifier: Linkifier) => ({
  id: linkifier.id,
  pattern: linkifier.pattern,
  url_template: linkifier.urlTemplate,
  example_input: linkifier.exampleInput,
  reverse_template: linkifier.reverseTemplate,
  alternative_url_templates: linkifier.alternativeUrlTemplates,
});

/** @throws BadRequest for an id that no linkifier has */
export function requireLinkifier(linkifiers: Linkifier[], id: number): Linkifier {
  const found = linkifiers.find((one) => one.id === id);
  if (!found) throw new BadRequest('Linkifier not found.');
  return found;
}
