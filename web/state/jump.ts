import { matchRank } from './match.ts';
import type { Conversation } from './narrow.ts';

/** A place that the quick switcher leads to. */
export interface Target {
  key: string;
  kind: 'view' | 'channel' | 'topic' | 'person' | 'group';
  name: string;
  note: string;
  /** The conversation, if it is one; a channel is none. */
  conversation?: Conversation;
  /** The newest message there, or 0. */
  newestId: number;
  /** Other words by which it is found. */
  words?: readonly string[];
}

/** When the viewer went to a place through the switcher last, in milliseconds since 1970, by its key. */
export type Uses = Readonly<Record<string, number>>;

const SIGILS: Record<string, Target['kind'][]> = {
  '#': ['channel', 'topic'],
  '@': ['person', 'group'],
  '>': ['topic'],
};

/** How much a kind is put back when names fit equally well. */
const KIND_ORDER: Record<Target['kind'], number> = { channel: 0, person: 0, group: 1, topic: 1, view: 2 };

/**
 * The places that match the typed text, the best first: by how well the name fits, then by the last use, then by the
 * newest message. `#`, `@` and `>` at the beginning restrict the search to channels, people or topics.
 */
export function findTargets(targets: readonly Target[], typed: string, uses: Uses, most: number): Target[] {
  const kinds = SIGILS[typed.trim()[0] ?? ''];
  const wanted = kinds ? typed.trim().slice(1) : typed;
  const ranked = targets.flatMap((target) => {
    if (kinds && !kinds.includes(target.kind)) return [];
    const rank = rankOf(target, wanted);
    return rank === undefined ? [] : [{ target, rank, used: uses[target.key] ?? 0 }];
  });
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      b.used - a.used ||
      KIND_ORDER[a.target.kind] - KIND_ORDER[b.target.kind] ||
      b.target.newestId - a.target.newestId,
  );
  return ranked.slice(0, most).map(({ target }) => target);
}

/** Other words count a little less than the name. */
const OTHER_WORDS = 0.5;

function rankOf({ name, words = [] }: Target, wanted: string): number | undefined {
  const ranks = [matchRank(name, wanted), ...words.map((word) => add(matchRank(word, wanted)))];
  const known = ranks.filter((rank) => rank !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

const add = (rank: number | undefined): number | undefined =>
  rank === undefined ? undefined : rank + OTHER_WORDS;

const MOST_USES = 100;

/** The uses after one more; the oldest are let go. */
export const noteUse = (uses: Uses, key: string, nowMs: number): Uses =>
  Object.fromEntries(
    Object.entries({ ...uses, [key]: nowMs })
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_USES),
  );
