import type { StateCore, Token } from 'markdown-it';
import { type Environment, mayAdd } from './environment.ts';
import type { KnownUpload } from './known.ts';
import { isBareLink, TOKENS_OF_LINK } from './previews.ts';

/** The markup of a player besides its link. */
const PLAYER_CHARACTERS = 600;

/**
 * Players for uploaded files: audio in picture notation is shown inline, linked video after its paragraph.
 * Each is shown once. In quotes they stay links.
 */
export function addPlayers(state: StateCore): void {
  const players = new Players(state);
  const result: Token[] = [];
  let quotes = 0;
  for (const [index, token] of state.tokens.entries()) {
    if (token.type === 'blockquote_open') quotes++;
    if (token.type === 'blockquote_close') quotes--;
    if (quotes === 0 && token.type === 'inline') token.children = players.standing(token.children ?? []);
    result.push(token);
    const written = state.tokens[index - 1];
    if (quotes > 0 || written?.type !== 'inline' || token.type !== 'paragraph_close') continue;
    const films = players.following(written.children ?? []);
    if (films.length > 0 && isBareLink(written.children ?? [])) result.splice(-TOKENS_OF_LINK);
    result.push(...films);
  }
  state.tokens = result;
}

class Players {
  readonly #state: StateCore;
  readonly #environment: Environment;
  readonly #shown = new Set<KnownUpload>();

  constructor(state: StateCore) {
    this.#state = state;
    this.#environment = state.env as Environment;
  }

  /** Replaces picture notation by audio players. */
  standing(children: Token[]): Token[] {
    const result: Token[] = [];
    for (let index = 0; index < children.length; index++) {
      const token = children[index] as Token;
      const sound = token.meta?.isImage ? this.#take(token, 'audio') : undefined;
      if (!sound) {
        result.push(token);
        continue;
      }
      const title = titled(this.#escape(String(token.meta?.alt ?? '')));
      const html = `<audio controls preload="metadata" src="${addressOf(sound)}"${title}></audio>`;
      result.push(this.#html('html_inline', html));
      index += TOKENS_OF_LINK - 1;
    }
    return result;
  }

  /** The videos linked in a paragraph. */
  following(children: Token[]): Token[] {
    return children.flatMap((token, index) => {
      const film = token.type === 'link_open' ? this.#take(token, 'video') : undefined;
      if (!film) return [];
      const text = children[index + 1]?.content ?? '';
      const title = titled(this.#escape(text.includes('/user_uploads/') ? '' : text));
      const html = `<div class="message_inline_image message_inline_video"><a href="${addressOf(film)}"${title}><video preload="metadata" src="${addressOf(film)}"></video></a></div>\n`;
      return [this.#html('html_block', html)];
    });
  }

  #take(link: Token, player: KnownUpload['player']): KnownUpload | undefined {
    const href = String(link.attrGet('href') ?? '');
    const upload = this.#environment.known.uploads.find((one) => href === addressOf(one));
    if (!upload || upload.player !== player || this.#shown.has(upload)) return undefined;
    if (!mayAdd(this.#environment, PLAYER_CHARACTERS)) return undefined;
    this.#shown.add(upload);
    return upload;
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

const addressOf = ({ pathId }: KnownUpload): string => `/user_uploads/${pathId}`;

const titled = (title: string): string => (title === '' ? '' : ` title="${title}"`);
