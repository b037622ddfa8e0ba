/** An emoji as it is looked up. */
export interface Findable {
  /** Its names, as they are written between colons. */
  names: readonly string[];
  /** Other words for it. */
  words?: readonly string[];
}

/** When and how often the viewer chose emoji, by their codes. */
export type EmojiUses = Readonly<Record<string, { count: number; atMs: number }>>;

/**
 * How well an emoji fits the typed text, the smallest best: 0 a name equals it, 1 begins so, 2 a word of it begins so,
 * 3 another word is the same, 4 another word begins so, 5 within a name. Undefined if it does not fit.
 */
export function emojiRank({ names, words = [] }: Findable, typed: string): number | undefined {
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_');
  if (wanted === '') return 0;
  if (names.includes(wanted)) return 0;
  if (names.some((name) => name.startsWith(wanted))) return 1;
  if (names.some((name) => name.split(/[_-]/).some((word) => word.startsWith(wanted)))) return 2;
  if (words.includes(wanted)) return 3;
  if (words.some((word) => word.startsWith(wanted))) return 4;
  return names.some((name) => name.includes(wanted)) ? 5 : undefined;
}

/** The name by which an emoji was found, or its first. */
export function nameFound({ names }: Findable, typed: string): string {
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_');
  const isIt = (fits: (name: string) => boolean): string | undefined => names.find(fits);
  return (
    isIt((name) => name === wanted) ??
    isIt((name) => wanted !== '' && name.startsWith(wanted)) ??
    isIt((name) => wanted !== '' && name.includes(wanted)) ??
    names[0] ??
    ''
  );
}

/** The emoji that fit, the best first; of equals the one that the viewer uses more, then the one used more in general. */
export function rankEmoji<Item extends Findable & { code: string }>(
  all: readonly Item[],
  typed: string,
  uses: EmojiUses,
  popular: readonly string[],
): Item[] {
  const place = (code: string): number => {
    const index = popular.indexOf(code);
    return index < 0 ? popular.length : index;
  };
  return all
    .flatMap((emoji, order) => {
      const rank = emojiRank(emoji, typed);
      return rank === undefined
        ? []
        : [{ emoji, order, rank, used: uses[emoji.code]?.count ?? 0, popularity: place(emoji.code) }];
    })
    .sort((a, b) => a.rank - b.rank || b.used - a.used || a.popularity - b.popularity || a.order - b.order)
    .map(({ emoji }) => emoji);
}

const MOST_USES = 60;

/** The uses after one more. */
export function noteEmojiUse(uses: EmojiUses, code: string, nowMs: number): EmojiUses {
  const next = { ...uses, [code]: { count: (uses[code]?.count ?? 0) + 1, atMs: nowMs } };
  return Object.fromEntries(
    Object.entries(next)
      .sort(([, a], [, b]) => b.atMs - a.atMs)
      .slice(0, MOST_USES),
  );
}

/** The codes that the viewer uses, the most used first; of equals the latest. */
export const frequentEmoji = (uses: EmojiUses, most: number): string[] =>
  Object.entries(uses)
    .sort(([, a], [, b]) => b.count - a.count || b.atMs - a.atMs)
    .slice(0, most)
    .map(([code]) => code);
