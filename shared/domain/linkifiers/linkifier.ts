import { BadRequest } from '#shared/domain/errors.ts';

/** A rule that turns matching text of messages into links. */
export interface Linkifier {
  id: number;
  /** A regular expression in the syntax of RE2, with named groups. */
  pattern: string;
  /** The address of the link (RFC 6570), filled with the named groups. */
  urlTemplate: string;
  /** Lets clients convert a pasted address back to the text that links to it. */
  exampleInput: string | null;
  reverseTemplate: string | null;
  alternativeUrlTemplates: string[];
}

/** All linkifiers, in order of application. */
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

/** @throws BadRequest for an unknown id */
export function requireLinkifier(linkifiers: Linkifier[], id: number): Linkifier {
  const found = linkifiers.find((linkifier) => linkifier.id === id);
  if (!found) throw new BadRequest('Linkifier not found.');
  return found;
}
