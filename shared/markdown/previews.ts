import type { StateCore, Token } from 'markdown-it';
import { type Environment, mayAdd } from './environment.ts';
import type { KnownImage } from './known.ts';

/** A plain link has three tokens: start, text, end. */
export const TOKENS_OF_LINK = 3;

/**
 * Shows uploaded pictures: those in picture notation inline, linked ones after their paragraph. Each is shown
 * once. In quotes they stay links.
 */
export function addPreviews(state: StateCore): void {
  const previews = new Previews(state);
  const result: Token[] = [];
  let quotes = 0;
  for (const [index, token] of state.tokens.entries()) {
    if (token.type === 'blockquote_open') quotes++;
    if (token.type === 'blockquote_close') quotes--;
    if (quotes === 0 && token.type === 'inline') token.children = previews.standing(token.children ?? []);
    const isParagraph = state.tokens[index - 1]?.type === 'inline' && token.type === 'paragraph_close';
    const links =
      isParagraph && quotes === 0 ? previews.following(state.tokens[index - 1]?.children ?? []) : [];
    result.push(token);
    if (links.length === 0) continue;
    if (isBareLink(state.tokens[index - 1]?.children ?? [])) result.splice(-TOKENS_OF_LINK);
    result.push(...links);
  }
  state.tokens = result;
}

/** Whether a paragraph consists of one link that shows its own address. */
export const isBareLink = (children: Token[]): boolean =>
  children.length === TOKENS_OF_LINK && ['linkify', 'autolink'].includes(children[0]?.markup ?? '');

class Previews {
  readonly #state: StateCore;
  readonly #environment: Environment;
  readonly #shown = new Set<KnownImage>();

  constructor(state: StateCore) {
    this.#state = state;
    this.#environment = state.env as Environment;
  }

  /** Replaces picture notation by pictures. */
  standing(children: Token[]): Token[] {
    const result: Token[] = [];
    for (let index = 0; index < children.length; index++) {
      const token = children[index] as Token;
      const image = token.meta?.isImage ? this.#take(token) : undefined;
      if (!image) {
        result.push(token);
        continue;
      }
      const alt = this.#escape(children[index + 1]?.content ?? '');
      const source = `/user_uploads/${image.pathId}`;
      result.push(
        this.#html(
          'html_inline',
          `<img alt="${alt}" class="inline-image"${data(image)} data-original-src="${source}" src="${thumbnail(image)}">`,
        ),
      );
      index += TOKENS_OF_LINK - 1;
    }
    return result;
  }

  /** The pictures linked in a paragraph. */
  following(children: Token[]): Token[] {
    return children.flatMap((token, index) => {
      const image = token.type === 'link_open' ? this.#take(token) : undefined;
      if (!image) return [];
      const text = children[index + 1]?.content ?? '';
      const title = this.#escape(text.includes('/user_uploads/') ? '' : text);
      const named = title === '' ? '' : ` title="${title}"`;
      const html = `<div class="message_inline_image"><a href="/user_uploads/${image.pathId}"${named}><img${data(image)} src="${thumbnail(image)}"></a></div>\n`;
      return [this.#html('html_block', html)];
    });
  }

  #take(link: Token): KnownImage | undefined {
    const href = String(link.attrGet('href') ?? '');
    const image = this.#environment.known.uploads.find(
      ({ pathId }) => href === `/user_uploads/${pathId}`,
    )?.image;
    if (!image || this.#shown.has(image) || !mayAdd(this.#environment, 500)) return undefined;
    this.#shown.add(image);
    return image;
  }

  #escape(text: string): string {
    return this.#state.md.utils.escapeHtml(text);
  }

  #html(type: 'html_inline' | 'html_block', content: string): Token {
    const token = new this.#state.Token(type, '', 0);
    token.content = content;
    return token;
  }
}

const data = ({ mediaType, width, height }: KnownImage): string =>
  ` data-original-content-type="${mediaType}" data-original-dimensions="${width}x${height}"`;

const thumbnail = ({ pathId, thumbnail: name }: KnownImage): string =>
  `/user_uploads/thumbnail/${pathId}/${name}`;
