import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { type Environment, mayAdd } from './environment.ts';
import type { Known } from './known.ts';
import { emojiPattern } from './references.ts';

type Emoji = { name: string } & ({ code: string } | { url: string });

/** The one emoji that is neither a character nor made by the organization. */
const EXTRA: Emoji = { name: 'zulip', url: '/static/generated/emoji/images/emoji/unicode/zulip.png' };

/** Characters before this one are signs of writing, like ©, and stay what they are. */
const FIRST_EMOJI = 0x2000;

/** What an emoji adds to its name, which stands in it three times. */
const MARKUP_CHARACTERS = 90;

/** Emoji by name and as characters. They are found before escaped marks become text like any other. */
export function useEmoji(md: MarkdownIt): void {
  md.core.ruler.before('text_join', 'emoji', findEmoji);
  md.renderer.rules.emoji = (tokens, index) => renderEmoji(tokens[index]?.meta as unknown as Emoji);
}

function findEmoji(state: StateCore): void {
  for (const block of state.tokens) {
    if (block.type !== 'inline') continue;
    let isWritten = false;
    block.children = (block.children ?? []).flatMap((token) => {
      if (token.type === 'link_open') isWritten = token.info === 'auto' || token.markup === 'linkify';
      if (token.type === 'link_close') isWritten = false;
      return token.type === 'text' && !isWritten ? splitText(state, token) : [token];
    });
  }
}

function splitText(state: StateCore, token: Token): Token[] {
  const environment = state.env as unknown as Environment;
  const { content } = token;
  const tokens: Token[] = [];
  let done = 0;
  const keep = (to: number): void => {
    if (to === done) return;
    const text = new state.Token('text', '', 0);
    text.content = content.slice(done, to);
    tokens.push(text);
  };
  emojiPattern.lastIndex = 0;
  for (let match = emojiPattern.exec(content); match; match = emojiPattern.exec(content)) {
    const emoji = readEmoji(match[0], match[1], environment.known);
    if (!emoji || !mayAdd(environment, MARKUP_CHARACTERS + 4 * emoji.name.length)) {
      // The colon behind what is no name may begin one.
      if (match[1] !== undefined) emojiPattern.lastIndex -= 1;
      continue;
    }
    keep(match.index);
    const found = new state.Token('emoji', '', 0);
    found.meta = emoji;
    found.content = match[0];
    tokens.push(found);
    done = emojiPattern.lastIndex;
  }
  if (done === 0) return [token];
  keep(content.length);
  return tokens;
}

function readEmoji(text: string, name: string | undefined, known: Known): Emoji | undefined {
  if (name === undefined) {
    if ((text.codePointAt(0) ?? 0) < FIRST_EMOJI && !text.includes('\u20E3')) return undefined;
    const code = [...text]
      .filter((one) => one !== '\uFE0F')
      .map((one) => one.codePointAt(0)?.toString(16).padStart(4, '0'))
      .join('-');
    const found = known.unicodeEmoji?.findName(code);
    return found === undefined ? undefined : { name: found, code };
  }
  const custom = known.emoji.find((one) => one.name === name);
  if (custom) return { name, url: custom.url };
  if (name === EXTRA.name) return EXTRA;
  const code = known.unicodeEmoji?.findCode(name);
  return code === undefined ? undefined : { name, code };
}

function renderEmoji(emoji: Emoji): string {
  const title = emoji.name.replaceAll('_', ' ');
  return 'url' in emoji
    ? `<img alt=":${emoji.name}:" class="emoji" src="${emoji.url}" title="${title}">`
    : `<span aria-label="${title}" class="emoji emoji-${emoji.code}" role="img" title="${title}">:${emoji.name}:</span>`;
}
