import type { MarkdownIt, StateBlock, StateCore, StateInline, Token } from 'markdown-it';
import createMarkdownIt from 'markdown-it';
import { isSafeLink, sanitizeHtml } from './sanitize.ts';

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

// Rules are named one by one, so that a rule of a later library version starts switched off.
const BLOCK_RULES = ['table', 'code', 'fence', 'blockquote', 'hr', 'list', 'heading', 'paragraph'];
const INTERRUPTS = ['paragraph', 'blockquote'];
const INLINE_RULES = [
  'text',
  'linkify',
  'newline',
  'escape',
  'backticks',
  'strikethrough',
  'emphasis',
  'link',
  'image',
  'autolink',
  'entity',
];

const parser = createParser();

/** Finds what of a text becomes a link besides what is written as one: ascending, without overlaps. */
type FindLinks = (text: string) => { from: number; to: number; url: string }[];

/** Turns the source of a message into HTML that is safe to show as it is. */
export function renderMarkdown(source: string, findLinks?: FindLinks): string {
  return sanitizeHtml(parser.render(source.toWellFormed(), { findLinks })).trimEnd();
}

function createParser(): MarkdownIt {
  const md = createMarkdownIt({
    html: false,
    linkify: true,
    breaks: true,
    maxNesting: MAX_NESTING,
  });
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  for (const schema of ['ftp:', '//', 'mailto:']) md.linkify.add(schema, null);
  md.validateLink = isSafeLink;

  limitBlocks(md);
  md.block.ruler.enableOnly(BLOCK_RULES);
  md.inline.ruler.enableOnly(INLINE_RULES);
  md.inline.ruler.before('emphasis', 'underscore', keepUnderscore);
  md.core.ruler.push('plain_links', plainLinks);
  md.core.ruler.push('found_links', foundLinks);

  md.renderer.rules.s_open = () => '<del>';
  md.renderer.rules.s_close = () => '</del>';
  md.renderer.rules.code_block = (tokens, index) => renderCode(md, tokens[index]?.content ?? '');
  md.renderer.rules.fence = (tokens, index) => {
    const language = tokens[index]?.info.trim().split(/\s/, 1)[0];
    return renderCode(md, tokens[index]?.content ?? '', language);
  };
  return md;
}

function renderCode(md: MarkdownIt, code: string, language?: string): string {
  const { escapeHtml } = md.utils;
  // The last line of a block whose closing fence is missing has no line break of its own.
  const lines = code === '' || code.endsWith('\n') ? code : `${code}\n`;
  const attribute = language ? ` data-code-language="${escapeHtml(language)}"` : '';
  return `<div class="codehilite"${attribute}><pre><span></span><code>${escapeHtml(lines)}</code></pre></div>\n`;
}

// Takes underscores as text before the emphasis rule sees them: names like a_b_c are common.
function keepUnderscore(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== UNDERSCORE) return false;
  if (!silent) state.pending += '_';
  state.pos += 1;
  return true;
}

function limitBlocks(md: MarkdownIt): void {
  const isShallow = (state: StateBlock) => state.level < MAX_DEPTH;
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
    const used = typeof state.env.tableCells === 'number' ? state.env.tableCells : 0;
    if (used + columns * (endLine - line) > MAX_TABLE_CELLS) return false;
    if (!table(state, line, endLine, silent)) return false;
    if (!silent) state.env.tableCells = used + columns * (state.line - line);
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

function textOf(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return state.src.slice(start, state.eMarks[line]);
}

// Makes every link of the message a plain one: an image becomes a link to it (loading it would
// tell its host who reads the message), a link inside a link or without a target only its text.
function plainLinks(state: StateCore): void {
  for (const block of state.tokens) {
    if (block.type === 'inline') block.children = plainInline(state, block.children ?? []);
  }
}

function plainInline(state: StateCore, tokens: Token[]): Token[] {
  const result: Token[] = [];
  const kept: boolean[] = [];
  for (const token of tokens) {
    const inLink = kept.includes(true);
    if (token.type === 'link_open') {
      kept.push(!inLink && token.attrGet('href') !== '');
      if (kept.at(-1)) result.push(token);
    } else if (token.type === 'link_close') {
      if (kept.pop()) result.push(token);
    } else if (token.type === 'image') {
      result.push(...imageAsLink(state, token, inLink));
    } else {
      result.push(token);
    }
  }
  return result;
}

function imageAsLink(state: StateCore, image: Token, inLink: boolean): Token[] {
  const target = String(image.attrGet('src') ?? '');
  const { renderer, options } = state.md;
  const text = new state.Token('text', '', 0);
  text.content = renderer.renderInlineAsText(image.children ?? [], options, state.env) || target;
  if (inLink || target === '') return [text];

  const title = image.attrGet('title');
  return linkTokens(state, target, [text], title === null ? undefined : String(title));
}

/** Makes links of what the caller finds in the text of the message, but not within links and code. */
function foundLinks(state: StateCore): void {
  const findLinks = state.env.findLinks as FindLinks | undefined;
  if (!findLinks) return;
  for (const block of state.tokens) {
    if (block.type !== 'inline') continue;
    let isInLink = false;
    block.children = (block.children ?? []).flatMap((token) => {
      if (token.type === 'link_open' || token.type === 'link_close') isInLink = token.type === 'link_open';
      return token.type === 'text' && !isInLink ? splitText(state, token, findLinks(token.content)) : [token];
    });
  }
}

function splitText(state: StateCore, token: Token, links: ReturnType<FindLinks>): Token[] {
  const { content } = token;
  const textOf = (from: number, to?: number): Token[] => {
    const text = new state.Token('text', '', 0);
    text.content = content.slice(from, to);
    return text.content === '' ? [] : [text];
  };
  let done = 0;
  const tokens = links.flatMap(({ from, to, url }) => {
    const before = textOf(done, from);
    done = to;
    return [...before, ...linkTokens(state, url, textOf(from, to))];
  });
  return links.length === 0 ? [token] : [...tokens, ...textOf(done)];
}

function linkTokens(state: StateCore, url: string, content: Token[], title?: string): Token[] {
  const open = new state.Token('link_open', 'a', 1);
  open.attrSet('href', url);
  if (title !== undefined) open.attrSet('title', title);
  return [open, ...content, new state.Token('link_close', 'a', -1)];
}
