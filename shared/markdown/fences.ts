import type { MarkdownIt, StateBlock } from 'markdown-it';
import { textOf } from './block-lines.ts';
import { type Environment, mayAdd } from './environment.ts';
import { renderFormula } from './formulas.ts';

type Container = { kind: 'quote' } | { kind: 'spoiler'; header: string };

const FENCE = /^(`{3,}|~{3,})[ \t]*(.*)$/;

/** Fenced blocks: code, formulas, and quotes and spoilers, which can contain any blocks. */
export function useFences(md: MarkdownIt, isShallow: (state: StateBlock) => boolean): void {
  md.block.ruler.before(
    'fence',
    'container',
    (state, line, endLine, silent) => isShallow(state) && takeContainer(state, line, endLine, silent),
    { alt: ['paragraph', 'blockquote', 'list'] },
  );
  md.renderer.rules.spoiler_open = () => '<div class="spoiler-block"><div class="spoiler-header">\n';
  md.renderer.rules.spoiler_header_close = () => '</div><div class="spoiler-content" aria-hidden="true">\n';
  md.renderer.rules.spoiler_close = () => '</div></div>\n';
  md.renderer.rules.code_block = (tokens, index) => renderCode(md, tokens[index]?.content ?? '');
  md.renderer.rules.fence = (tokens, index, _options, env) => {
    const { content = '', info = '' } = tokens[index] ?? {};
    const language = info.trim().split(/\s/, 1)[0];
    const environment = env as Environment;
    if (language?.toLowerCase() === 'math')
      return `<p>${renderFormula(md, environment, content.trim(), true)}</p>\n`;
    return renderCode(md, content, language, environment);
  };
}

function takeContainer(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  // Four spaces of indentation make a code block.
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return false;
  const [, fence, info] = FENCE.exec(textOf(state, line)) ?? [];
  const container = info === undefined ? undefined : readContainer(info.trim());
  if (!container || fence === undefined) return false;
  if (silent) return true;

  const { end, isClosed } = findEnd(state, line, endLine, fence);
  const { parentType, lineMax } = state;
  state.parentType = 'blockquote';
  state.lineMax = end;
  openContainer(state, container, line);
  state.md.block.tokenize(state, line + 1, end);
  state.push(`${container.kind === 'quote' ? 'blockquote' : 'spoiler'}_close`, '', -1);
  if (container.kind === 'quote') setTag(state, 'blockquote');
  state.parentType = parentType;
  state.lineMax = lineMax;
  state.line = isClosed ? end + 1 : end;
  return true;
}

function readContainer(info: string): Container | undefined {
  const [name = ''] = info.split(/\s/, 1);
  if (name.toLowerCase() === 'quote') return { kind: 'quote' };
  if (name.toLowerCase() === 'spoiler') return { kind: 'spoiler', header: info.slice(name.length).trim() };
  return undefined;
}

function openContainer(state: StateBlock, container: Container, line: number): void {
  if (container.kind === 'quote') {
    state.push('blockquote_open', 'blockquote', 1);
    return;
  }
  state.push('spoiler_open', '', 1);
  if (container.header !== '') {
    state.push('paragraph_open', 'p', 1);
    const header = state.push('inline', '', 0);
    header.content = container.header;
    header.map = [line, line + 1];
    header.children = [];
    state.push('paragraph_close', 'p', -1);
  }
  state.push('spoiler_header_close', '', 0);
}

function setTag(state: StateBlock, tag: string): void {
  const token = state.tokens.at(-1);
  if (token) token.tag = tag;
}

/**
 * The closing line of a fence; inner fences must be closed first. Without one, the block extends to the end.
 */
function findEnd(
  state: StateBlock,
  line: number,
  endLine: number,
  fence: string,
): { end: number; isClosed: boolean } {
  const open = [{ fence, isContainer: true }];
  for (let next = line + 1; next < endLine; next++) {
    const isIndentedLess = (state.sCount[next] ?? 0) < state.blkIndent;
    if (isIndentedLess && !state.isEmpty(next)) return { end: next, isClosed: false };
    const [, mark, info = ''] = FENCE.exec(textOf(state, next)) ?? [];
    const inner = open.at(-1);
    if (mark === undefined || !inner) continue;
    if (closes(inner.fence, mark, info)) open.pop();
    else if (inner.isContainer)
      open.push({ fence: mark, isContainer: readContainer(info.trim()) !== undefined });
    if (open.length === 0) return { end: next, isClosed: true };
  }
  return { end: endLine, isClosed: false };
}

/** Whether a line of this mark and text ends a block: of the same character, at least as long, and without text. */
const closes = (fence: string, mark: string, info: string): boolean =>
  info.trim() === '' && mark[0] === fence[0] && mark.length >= fence.length;

function renderCode(md: MarkdownIt, code: string, language?: string, environment?: Environment): string {
  const { escapeHtml } = md.utils;
  // Without a closing fence the last line has no line break.
  const lines = code === '' || code.endsWith('\n') ? code : `${code}\n`;
  const coloured = language ? environment?.known.highlight?.(lines, language) : undefined;
  const isShort = coloured && environment && mayAdd(environment, coloured.html.length - lines.length);
  const name = coloured?.name ?? language;
  const attribute = name ? ` data-code-language="${escapeHtml(name)}"` : '';
  const html = coloured && isShort ? coloured.html : escapeHtml(lines);
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>\n`;
}
