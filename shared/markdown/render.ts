import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import createMarkdownIt from 'markdown-it';
import { type BlockRule, textOf } from './block-lines.ts';
import { useEmoji } from './emoji.ts';
import { useEmphasis } from './emphasis.ts';
import {
  descriptionLimits,
  messageLimits,
  newEnvironment,
  type Rendered,
  type TextLimits,
} from './environment.ts';
import { useFences } from './fences.ts';
import { useFormulas } from './formulas.ts';
import { type Known, nothingKnown } from './known.ts';
import { useLinks } from './links.ts';
import { useMentions } from './mentions.ts';
import { isLink, sanitizeHtml } from './sanitize.ts';
import { tableRule } from './tables.ts';
import { useTimes } from './times.ts';

// Nested lists and quotes cost depth times lines: at this depth the slowest message of 10 000 characters that
// we found takes 90 ms. The library drops the rest of a message at its own limit, so this one applies first
// and leaves deeper marks as text. A list takes two levels.
const MAX_NESTING = 40;
const MAX_DEPTH = MAX_NESTING - 2;

const UNDERSCORE = 0x5f;

const isShallow = (state: StateBlock): boolean => state.level < MAX_DEPTH;

// Rules are enabled by name, so that new rules of a later library version stay off.
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
 * Renders Markdown to safe HTML and collects its mentions. References are looked up in `known`; unknown ones
 * stay text. Equal input gives equal HTML on any machine: all work is bounded by counts, never by time.
 */
export function renderMarkdown(
  source: string,
  known: Known = nothingKnown,
  limits: TextLimits = messageLimits,
): Rendered {
  const environment = newEnvironment(known, limits);
  const text = source.toWellFormed();
  const written = parser.render(text, environment);
  const html = sanitizeHtml(written, known.mathElements).trimEnd();
  if (Buffer.byteLength(html) > limits.htmlBytes) return asWritten(text);
  const { userIds, groupIds, mentionsChannel, mentionsTopic } = environment;
  return {
    html,
    mentionedUserIds: ascending(userIds),
    mentionedGroupIds: ascending(groupIds),
    mentionsChannel,
    mentionsTopic,
  };
}

/** Renders a text that is not a message, such as a description or the value of a profile field. */
export const renderDescription = (source: string, known?: Known): string =>
  renderMarkdown(source, known, descriptionLimits).html;

/** The plain text with its line breaks. It has no references, so it mentions no user. */
const asWritten = (text: string): Rendered => ({
  html: sanitizeHtml(`<p>${parser.utils.escapeHtml(text).replaceAll('\n', '<br>\n')}</p>`),
  mentionedUserIds: [],
  mentionedGroupIds: [],
  mentionsChannel: false,
  mentionsTopic: false,
});

const ascending = (ids: Set<number>): number[] => [...ids].sort((a, b) => a - b);

function createParser(): MarkdownIt {
  const md = createMarkdownIt({
    html: false,
    linkify: true,
    breaks: true,
    maxNesting: MAX_NESTING,
  });
  md.validateLink = isLink;

  useEmphasis(md);
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

// Consumes underscores as text before the emphasis rule sees them, because names like a_b_c are common.
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
  md.block.ruler.at('table', tableRule(blockRule(md, 'table')), { alt: ['paragraph'] });
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

// A ruler returns enabled rules without names, so the wanted one is enabled alone.
function blockRule(md: MarkdownIt, name: string): BlockRule {
  md.block.ruler.enableOnly(name);
  const [rule] = md.block.ruler.getRules('');
  if (!rule) throw new Error(`markdown-it has no block rule ${name}`);
  return rule;
}
