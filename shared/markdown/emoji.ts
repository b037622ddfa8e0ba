import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { type Environment, mayAdd } from './environment.ts';
import type { Known } from './known.ts';
import { emojiPattern } from './references.ts';

type Emoji = { name: string } & ({ code: string } | { url: string });

/** The only emoji that is neither a Unicode character nor custom. */
const EXTRA: Emoji = { name: 'zulip', url: '/static/generated/emoji/images/emoji/unicode/zulip.png' };

/** Characters before this one, such as ©, are signs of writing and stay text. */
const FIRST_EMOJI = 0x2000;

/** Selects the text form of a character, without colours. */
const TEXT_STYLE = '\uFE0E';

/** The markup of an emoji besides its name, which it contains three times. */
const MARKUP_CHARACTERS = 90;

/** Parses emoji names and characters, before escaped characters become ordinary text. */
export function useEmoji(md: MarkdownIt): void {
  md.core.ruler.before('text_join', 'emoji', findEmoji);
  md.renderer.rules.emoji = (tokens, index) => renderEmoji(tokens[index]?.meta as Emoji);
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
  const environment = state.env as Environment;
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
      // The colon after a text that is not a name may start one.
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
    if (text.includes(TEXT_STYLE)) return undefined;
    if ((text.codePointAt(0) ?? 0) < FIRST_EMOJI && !text.includes('\u20E3')) return undefined;
    const code = [...text]
      .filter((value) => value !== '\uFE0F')
      .map((character) => character.codePointAt(0)?.toString(16).padStart(4, '0'))
      .join('-');
    const found = known.unicodeEmoji?.findName(code);
    return found === undefined ? undefined : { name: found, code };
  }
  const custom = known.emoji.find((candidate) => candidate.name === name);
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
