import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import createMarkdownIt from 'markdown-it';
import { textOf } from './block-lines.ts';
import { useEmoji } from './emoji.ts';
import { type Environment, newEnvironment, type Rendered } from './environment.ts';
import { useFences } from './fences.ts';
import { useFormulas } from './formulas.ts';
import { type Known, nothingKnown } from './known.ts';
import { useLinks } from './links.ts';
import { useMentions } from './mentions.ts';
import { isLink, sanitizeHtml } from './sanitize.ts';
import { useTimes } from './times.ts';

type BlockRule = (state: StateBlock, line: number, endLine: number, silent: boolean) => boolean;

// Lists and quotes inside each other cost their depth times their lines: at this depth the slowest
// message of 10 000 characters that we found takes 90 ms. The library drops the rest of the message
// at its own limit, so ours comes first and leaves a deeper mark as text. A list takes two levels.
const MAX_NESTING = 40;
const MAX_DEPTH = MAX_NESTING - 2;

// Rows shorter than their header are filled up with empty cells: without this limit a message of
// 10 000 characters could grow to 65 000 cells. Cells that are written out need two characters.
const MAX_TABLE_CELLS = 5000;

const UNDERSCORE = 0x5f;

const isShallow = (state: StateBlock): boolean => state.level < MAX_DEPTH;

// Rules are named one by one, so that a rule of a later library version starts switched off.
const BLOCK_RULES = [
  'table',
  'code',
  'container',
  'fence',
  'blockquote',
  'hr',
  'list',
  'heading',
  'paragraph',
];
const INTERRUPTS = ['paragraph', 'blockquote'];
const INLINE_RULES = [
  'text',
  'linkify',
  'newline',
  'escape',
  'backticks',
  'mention',
  'place',
  'time',
  'formula',
  'strikethrough',
  'emphasis',
  'link',
  'image',
  'autolink',
  'entity',
];

const parser = createParser();

/**
 * Turns the source of a message into HTML that is safe to show as it is, and tells whom it mentions. What it names is
 * looked up in what is known; anything else stays text.
 */
export function renderMarkdown(source: string, known: Known = nothingKnown): Rendered {
  const environment = newEnvironment(known);
  const html = parser.render(source.toWellFormed(), environment as unknown as Record<string, unknown>);
  const { userIds, groupIds, mentionsChannel, mentionsTopic } = environment;
  return {
    html: sanitizeHtml(html).trimEnd(),
    mentionedUserIds: ascending(userIds),
    mentionedGroupIds: ascending(groupIds),
    mentionsChannel,
    mentionsTopic,
  };
}

const ascending = (ids: Set<number>): number[] => [...ids].sort((a, b) => a - b);

function createParser(): MarkdownIt {
  const md = createMarkdownIt({
    html: false,
    linkify: true,
    breaks: true,
    maxNesting: MAX_NESTING,
  });
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  for (const schema of ['ftp:', '//', 'mailto:']) md.linkify.add(schema, null);
  md.validateLink = isLink;

  useEmoji(md);
  useLinks(md);
  useMentions(md);
  useTimes(md);
  useFormulas(md);
  useFences(md, isShallow);
  limitBlocks(md);
  md.block.ruler.enableOnly(BLOCK_RULES);
  md.inline.ruler.enableOnly(INLINE_RULES);
  md.inline.ruler.before('emphasis', 'underscore', keepUnderscore);

  md.renderer.rules.s_open = () => '<del>';
  md.renderer.rules.s_close = () => '</del>';
  return md;
}

// Takes underscores as text before the emphasis rule sees them: names like a_b_c are common.
function keepUnderscore(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== UNDERSCORE) return false;
  if (!silent) state.pending += '_';
  state.pos += 1;
  return true;
}

function limitBlocks(md: MarkdownIt): void {
  restrictRule(md, 'blockquote', [...INTERRUPTS, 'list'], isShallow);
  restrictRule(md, 'list', INTERRUPTS, isShallow);
  restrictRule(md, 'heading', INTERRUPTS, (state, line) => /^#+\s+\S/.test(textOf(state, line)));
  limitTables(md);
}

function restrictRule(
  md: MarkdownIt,
  name: string,
  interrupts: string[],
  applies: (state: StateBlock, line: number) => boolean,
): void {
  const rule = blockRule(md, name);
  const restricted: BlockRule = (state, line, ...rest) => applies(state, line) && rule(state, line, ...rest);
  md.block.ruler.at(name, restricted, { alt: interrupts });
}

function limitTables(md: MarkdownIt): void {
  const table = blockRule(md, 'table');
  const limited: BlockRule = (state, line, endLine, silent) => {
    const columns = textOf(state, line + 1).match(/[-:]+/g)?.length ?? 0;
    const environment = state.env as unknown as Environment;
    const used = environment.tableCells;
    if (used + columns * (endLine - line) > MAX_TABLE_CELLS) return false;
    if (!table(state, line, endLine, silent)) return false;
    if (!silent) environment.tableCells = used + columns * (state.line - line);
    return true;
  };
  md.block.ruler.at('table', limited, { alt: ['paragraph'] });
}

// A ruler hands out the rules that are enabled, without names, so the wanted one is enabled alone.
function blockRule(md: MarkdownIt, name: string): BlockRule {
  md.block.ruler.enableOnly(name);
  const [rule] = md.block.ruler.getRules('');
  if (!rule) throw new Error(`markdown-it has no block rule ${name}`);
  return rule;
}
