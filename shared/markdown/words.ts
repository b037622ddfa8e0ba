import { noLinker } from '#shared/domain/linkifiers/links.ts';
import { descriptionLimits, type Rendered } from './environment.ts';
import { type Known, nothingKnown } from './known.ts';

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
 * Renders a text as `renderMarkdown` does. Plain words need no parser; its code is large, and is loaded with the first text
 * that does.
 */
export async function renderContent(source: string, known: Known): Promise<Rendered> {
  return renderWords(source, known) ?? (await import('./render.ts')).renderMarkdown(source, known);
}

/** Renders a text that is not a message, such as a description or the value of a profile field. */
export async function renderShortText(source: string, known = nothingKnown): Promise<string> {
  if (source === '') return '';
  const words = renderWords(source, known);
  return (words ?? (await import('./render.ts')).renderMarkdown(source, known, descriptionLimits)).html;
}

/** The rendered text if it consists of plain words; linkifiers may find links in any. */
function renderWords(source: string, { linker }: Known): Rendered | undefined {
  if (linker !== noLinker || !WORDS.test(source)) return undefined;
  return {
    html: `<p>${source.replaceAll('\n', '<br>\n')}</p>`,
    mentionedUserIds: [],
    mentionedGroupIds: [],
    mentionsChannel: false,
    mentionsTopic: false,
  };
}
