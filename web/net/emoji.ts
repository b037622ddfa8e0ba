import { signal } from '@preact/signals';
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

/** Signs that stand in a text as letters do, unless this follows. */
const AS_PICTURE = '\u{fe0f}';

/** The characters of an emoji by its code, as `1f1e9-1f1ea`; empty where it is none. */
export function charactersOf(code: string): string {
  if (!/^[0-9a-f]+(-[0-9a-f]+)*$/.test(code)) return '';
  const points = code.split('-').map((one) => Number.parseInt(one, 16));
  const [first = 0, ...others] = points;
  const isLetterLike = first < 0x1f000 && others.length === 0;
  return `${String.fromCodePoint(...points)}${isLetterLike ? AS_PICTURE : ''}`;
}

const POPULAR = ['1f44d', '1f389', '2764', '1f642', '1f440', '1f419', '1f64f', '1f604'];

/** Emoji whose names hold a text: those of the organization first, then popular ones, then those that begin with it. */
export function findEmoji(text: string, most: number): Emoji[] {
  const wanted = text.toLowerCase().replaceAll(' ', '_');
  const custom: Emoji[] = Object.values(server.value.realm_emoji)
    .filter(({ deactivated, name }) => !deactivated && name.includes(wanted))
    .map(({ id, name }) => ({ emoji_name: name, emoji_code: id, reaction_type: 'realm_emoji' }));
  const found: { emoji: Emoji; rank: number }[] = [];
  for (const [code, names] of emojiNames.value) {
    const name = names.find((one) => one.startsWith(wanted)) ?? names.find((one) => one.includes(wanted));
    if (name === undefined) continue;
    const popular = POPULAR.indexOf(code);
    const rank =
      popular >= 0 ? popular : name === wanted ? 10 : name.startsWith(wanted) ? 20 + name.length : 100;
    found.push({ emoji: { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }, rank });
  }
  found.sort((a, b) => a.rank - b.rank);
  return [...custom, ...found.map(({ emoji }) => emoji)].slice(0, most);
}
