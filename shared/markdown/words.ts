import { noLinker } from '#shared/domain/linkifiers/links.ts';
import type { Rendered } from './environment.ts';
import type { Known } from './known.ts';

/** A few letters, such as ℹ, are emoji as well. */
const LETTER = String.raw`[\p{L}--\p{Extended_Pictographic}]`;
/** Inside of a line: words with one space between them, and signs that mark nothing. A dot between letters may be that of an address. */
const INSIDE = String.raw`[${LETTER}\d,;?!'’“”„–…\(\)\-]| (?=[${LETTER}\d\(“„–])|\.(?=[ \n]|$)`;
/** A line begins with a letter: other signs may begin a block. */
const LINE = `${LETTER}(?:${INSIDE})*`;
const WORDS = new RegExp(`^${LINE}(?:\\n${LINE})*$`, 'v');

/** Without any of these a text refers to nothing. */
const SIGN = /[@#:$~`/]|math|[^ -~\s]/i;

/** Whether a text may refer to something that has to be looked up. */
export const mayRefer = (source: string): boolean => SIGN.test(source);

/**
 * Renders a text of plain words as `renderMarkdown` does, without the parser; undefined for other texts. Linkifiers may
 * find links in any.
 */
export function renderWords(source: string, { linker }: Known): Rendered | undefined {
  if (linker !== noLinker || !WORDS.test(source)) return undefined;
  return {
    html: `<p>${source.replaceAll('\n', '<br>\n')}</p>`,
    mentionedUserIds: [],
    mentionedGroupIds: [],
    mentionsChannel: false,
    mentionsTopic: false,
  };
}
