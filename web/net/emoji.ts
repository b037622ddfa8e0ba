import { signal } from '@preact/signals';
import { nameFound, rankEmoji } from '#web/state/emoji-search.ts';
import { readEmojiUses } from './emoji-uses.ts';
import type { Emoji } from './message-actions.ts';
import { server } from './store.ts';

/** Names of Unicode emoji by their codes; empty until they were asked for. */
export const emojiNames = signal<ReadonlyMap<string, string[]>>(new Map());

let asked: Promise<void> | undefined;

/** Fetches the names once. */
export function loadEmojiNames(): Promise<void> {
  asked ??= fetch(new URL(server.value.server_emoji_data_url).pathname)
    .then((response) => response.json())
    .then(({ code_to_names: names }: { code_to_names: Record<string, string[]> }) => {
      emojiNames.value = new Map(Object.entries(names));
    })
    .catch(() => {
      asked = undefined;
    });
  return asked;
}

/** Selects the picture form of characters that otherwise render as text. */
const AS_PICTURE = '\u{fe0f}';

/** The characters of an emoji by its code, as `1f1e9-1f1ea`; empty if the code is invalid. */
export function charactersOf(code: string): string {
  if (!/^[0-9a-f]+(-[0-9a-f]+)*$/.test(code)) return '';
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  const [first = 0, ...others] = points;
  const isLetterLike = first < 0x1f000 && others.length === 0;
  return `${String.fromCodePoint(...points)}${isLetterLike ? AS_PICTURE : ''}`;
}

/** What people use most, in general. */
export const POPULAR = ['1f44d', '1f389', '2764', '1f642', '1f440', '1f419', '1f64f', '1f604'];

/** Words for Unicode emoji beside their names, by code; known once the picker was loaded. */
export const emojiWords = signal<ReadonlyMap<string, readonly string[]>>(new Map());

/** Emoji that match a text: exact names first, then prefixes, then other words; the viewer's own come first among equals. */
export function findEmoji(text: string, most: number): Emoji[] {
  const custom = Object.values(server.value.realm_emoji)
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({ code: id, names: [name], type: 'realm_emoji' as const }));
  const unicode = [...emojiNames.value].map(([code, names]) => ({
    ...{ code, names, type: 'unicode_emoji' as const, words: emojiWords.value.get(code) ?? [] },
  }));
  return rankEmoji([...custom, ...unicode], text, readEmojiUses(), POPULAR)
    .slice(0, most)
    .map((emoji) => ({
      emoji_name: nameFound(emoji, text),
      emoji_code: emoji.code,
      reaction_type: emoji.type,
    }));
}
