import type { StateCore, Token } from 'markdown-it';
import { type Environment, mayAdd } from './environment.ts';
import type { KnownImage, KnownUpload } from './known.ts';

/** A plain link has three tokens: start, text, end. */
const TOKENS_OF_LINK = 3;

/** Makes the HTML of an upload from the escaped text of its link; undefined for uploads of other kinds. */
type Show = (upload: KnownUpload, text: string) => string | undefined;

/** How uploads of one kind are shown, each once. */
interface Appearance {
  /** The characters that it adds, besides the link. */
  characters: number;
  /** Replaces picture notation. */
  inline: Show;
  /** Follows the paragraph of a link. */
  following: Show;
}

const pictures: Appearance = {
  characters: 500,
  inline: ({ image, pathId }, text) =>
    image &&
    `<img alt="${text}" class="inline-image"${data(image)} data-original-src="${addressOf(pathId)}" src="${thumbnail(image)}">`,
  following: ({ image, pathId }, text) =>
    image &&
    `<div class="message_inline_image"><a href="${addressOf(pathId)}"${titled(nameIn(text))}><img${data(image)} src="${thumbnail(image)}"></a></div>\n`,
};

const players: Appearance = {
  characters: 600,
  inline: ({ player, pathId }, text) =>
    player === 'audio'
      ? `<audio controls preload="metadata" src="${addressOf(pathId)}"${titled(text === addressOf(pathId) ? '' : text)}></audio>`
      : undefined,
  following: ({ player, pathId }, text) =>
    player === 'video'
      ? `<div class="message_inline_image message_inline_video"><a href="${addressOf(pathId)}"${titled(nameIn(text))}><video preload="metadata" src="${addressOf(pathId)}"></video></a></div>\n`
      : undefined,
};

/**
 * Shows the uploads in a text: pictures and audio in picture notation inline, linked pictures and videos after
 * their paragraph. In quotes they stay links.
 */
export function showUploads(state: StateCore): void {
  for (const appearance of [pictures, players]) showWith(state, appearance);
}

function showWith(state: StateCore, appearance: Appearance): void {
  const shown = new ShownUploads(state, appearance);
  const result: Token[] = [];
  let quotes = 0;
  for (const [index, token] of state.tokens.entries()) {
    quotes += QUOTE_STEPS[token.type] ?? 0;
    if (quotes === 0 && token.type === 'inline') token.children = shown.inline(token.children ?? []);
    result.push(token);
    const paragraph = quotes === 0 ? paragraphClosedAt(state.tokens, index) : undefined;
    const following = paragraph ? shown.following(paragraph) : [];
    if (paragraph && following.length > 0 && isBareLink(paragraph)) result.splice(-TOKENS_OF_LINK);
    result.push(...following);
  }
  state.tokens = result;
}

const QUOTE_STEPS: Partial<Record<string, number>> = { blockquote_open: 1, blockquote_close: -1 };

/** The children of the paragraph that ends with this token. */
function paragraphClosedAt(tokens: Token[], index: number): Token[] | undefined {
  const written = tokens[index - 1];
  const isEnd = written?.type === 'inline' && tokens[index]?.type === 'paragraph_close';
  return isEnd ? (written.children ?? []) : undefined;
}

/** Whether a paragraph consists of one link that shows its own address. */
const isBareLink = (children: Token[]): boolean =>
  children.length === TOKENS_OF_LINK && ['linkify', 'autolink'].includes(children[0]?.markup ?? '');

class ShownUploads {
  readonly #state: StateCore;
  readonly #environment: Environment;
  readonly #appearance: Appearance;
  readonly #shown = new Set<KnownUpload>();

  constructor(state: StateCore, appearance: Appearance) {
    this.#state = state;
    this.#environment = state.env as Environment;
    this.#appearance = appearance;
  }

  /** Replaces picture notation. */
  inline(children: Token[]): Token[] {
    const result: Token[] = [];
    for (let index = 0; index < children.length; index++) {
      const token = children[index] as Token;
      const html = token.meta?.isImage ? this.#show(children, index, this.#appearance.inline) : undefined;
      result.push(html === undefined ? token : this.#html('html_inline', html));
      if (html !== undefined) index += TOKENS_OF_LINK - 1;
    }
    return result;
  }

  /** The uploads linked in a paragraph. */
  following(children: Token[]): Token[] {
    return children.flatMap((token, index) => {
      if (token.type !== 'link_open') return [];
      const html = this.#show(children, index, this.#appearance.following);
      return html === undefined ? [] : [this.#html('html_block', html)];
    });
  }

  #show(children: Token[], link: number, show: Show): string | undefined {
    const href = String(children[link]?.attrGet('href') ?? '');
    const upload = this.#environment.known.uploads.find(({ pathId }) => href === addressOf(pathId));
    if (!upload || this.#shown.has(upload)) return undefined;
    const html = show(upload, this.#state.md.utils.escapeHtml(children[link + 1]?.content ?? ''));
    if (html === undefined || !mayAdd(this.#environment, this.#appearance.characters)) return undefined;
    this.#shown.add(upload);
    return html;
  }

  #html(type: 'html_inline' | 'html_block', content: string): Token {
    const token = new this.#state.Token(type, '', 0);
    token.content = content;
    return token;
  }
}

const addressOf = (pathId: string): string => `/user_uploads/${pathId}`;

/** The text of a link; empty if it is an address. */
const nameIn = (text: string): string => (text.includes('/user_uploads/') ? '' : text);

const titled = (title: string): string => (title === '' ? '' : ` title="${title}"`);

const data = ({ mediaType, width, height }: KnownImage): string =>
  ` data-original-content-type="${mediaType}" data-original-dimensions="${width}x${height}"`;

const thumbnail = ({ pathId, thumbnail: name }: KnownImage): string =>
  `/user_uploads/thumbnail/${pathId}/${name}`;
