import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { findAddresses, type WrittenAddress, webAddressAtStart } from './addresses.ts';
import type { Environment } from './environment.ts';
import { isReference } from './mentions.ts';
import { asRelative } from './narrow-links.ts';

const isWww = (url: string): boolean => /^www\.[^\s/\\?#.]/i.test(url);

/** Plain links in any notation, and those made by linkifiers. */
export function useLinks(md: MarkdownIt): void {
  Object.assign(md.linkify, {
    test: (text: string) => findAddresses(text).length > 0,
    match: (text: string) => findAddresses(text).map((address) => toMatch(text, address)),
    matchAtStart: (text: string) => {
      const address = webAddressAtStart(text);
      return address ? toMatch(text, address) : null;
    },
  } satisfies Partial<MarkdownIt['linkify']>);
  const { normalizeLink } = md;
  md.normalizeLink = (url) => normalizeLink(isWww(url) ? `http://${url}` : url);
  md.core.ruler.push('plain_links', plainLinks);
  md.core.ruler.push('found_links', foundLinks);
  md.core.ruler.push('shown_uploads', (state) => {
    const { known } = state.env as Environment;
    known.showUploads?.(state);
  });
}

/** The address in the form of the library. */
function toMatch(text: string, { from, to, url, schema }: WrittenAddress) {
  const raw = text.slice(from, to);
  return { index: from, lastIndex: to, raw, text: raw, url, schema };
}

// Simplifies links: an image becomes a link, because loading it would reveal the reader to its host;
// nested links and links without a target become text.
function plainLinks(state: StateCore): void {
  for (const block of state.tokens) {
    if (block.type === 'inline') block.children = plainInline(state, block.children ?? []);
  }
}

function plainInline(state: StateCore, tokens: Token[]): Token[] {
  const result: Token[] = [];
  const kept: boolean[] = [];
  for (const [index, token] of tokens.entries()) {
    const inLink = kept.includes(true);
    if (token.type === 'link_open') {
      const opening = inLink ? [] : openingOf(state, tokens, index);
      kept.push(opening.length > 0);
      result.push(...opening);
    } else if (token.type === 'link_close') {
      if (kept.pop()) result.push(token);
    } else {
      result.push(...plainContent(state, token, inLink));
    }
  }
  return result;
}

/** The start of a link, with its address as its text if it has no other; empty for a link without a target. */
function openingOf(state: StateCore, tokens: Token[], index: number): Token[] {
  const token = tokens[index] as Token;
  const written = String(token.attrGet('href') ?? '');
  if (written === '') return [];
  token.attrSet('href', asRelative(written, (state.env as Environment).known.origin));
  return isBlank(tokens, index)
    ? [token, ...textTokens(state, state.md.normalizeLinkText(written))]
    : [token];
}

/** A token that neither starts nor ends a link; in a link, references and images are text. */
function plainContent(state: StateCore, token: Token, inLink: boolean): Token[] {
  if (token.type === 'image') return imageAsLink(state, token, inLink);
  return inLink && isReference(token) ? textTokens(state, token.content) : [token];
}

/** Whether a link has no visible text and must show its address. Removes its white space. */
function isBlank(tokens: Token[], open: number): boolean {
  const [content, end] = [tokens[open + 1], tokens[open + 2]];
  if (content?.type === 'link_close') return true;
  if (content?.type !== 'text' || content.content.trim() !== '' || end?.type !== 'link_close') return false;
  content.content = '';
  return true;
}

function imageAsLink(state: StateCore, image: Token, inLink: boolean): Token[] {
  const { origin } = (state.env as Environment).known;
  const target = asRelative(String(image.attrGet('src') ?? ''), origin);
  const { renderer, options } = state.md;
  const text = new state.Token('text', '', 0);
  text.content = renderer.renderInlineAsText(image.children ?? [], options, state.env) || target;
  if (inLink || target === '') return [text];

  const title = image.attrGet('title');
  const tokens = linkTokens(state, target, [text], title === null ? undefined : String(title));
  if (tokens[0]) tokens[0].meta = { isImage: true };
  return tokens;
}

/** Adds links found in text outside links and code. */
function foundLinks(state: StateCore): void {
  const { findLinks } = state.env as Environment;
  for (const block of state.tokens) {
    if (block.type !== 'inline') continue;
    let isInLink = false;
    block.children = (block.children ?? []).flatMap((token) => {
      if (token.type === 'link_open' || token.type === 'link_close') isInLink = token.type === 'link_open';
      return token.type === 'text' && !isInLink ? splitText(state, token, findLinks(token.content)) : [token];
    });
  }
}

function splitText(state: StateCore, token: Token, links: ReturnType<Environment['findLinks']>): Token[] {
  const { content } = token;
  let done = 0;
  const tokens = links.flatMap(({ from, to, url }) => {
    const before = textTokens(state, content.slice(done, from));
    done = to;
    return [...before, ...linkTokens(state, url, textTokens(state, content.slice(from, to)))];
  });
  return links.length === 0 ? [token] : [...tokens, ...textTokens(state, content.slice(done))];
}

function textTokens(state: StateCore, content: string): Token[] {
  const text = new state.Token('text', '', 0);
  text.content = content;
  return content === '' ? [] : [text];
}

function linkTokens(state: StateCore, url: string, content: Token[], title?: string): Token[] {
  const open = new state.Token('link_open', 'a', 1);
  open.attrSet('href', url);
  if (title !== undefined) open.attrSet('title', title);
  return [open, ...content, new state.Token('link_close', 'a', -1)];
}
