/** The offers and hints of the topic field of a new message. Pure. */

import { matchRank } from './match.ts';
import { isSameName } from './names.ts';

export interface TopicOffer {
  name: string;
  /** Whether the topic does not exist yet. */
  isNew: boolean;
}

const MOST_OFFERS = 6;

/** The topics of a channel that match the typed text, newest first; a new one comes last. */
export function offerTopics(typed: string, topics: readonly string[]): TopicOffer[] {
  const wanted = typed.trim();
  const found = topics
    .map((name, index) => ({ name, index, rank: wanted === '' ? 0 : matchRank(name, wanted) }))
    .filter((topic): topic is typeof topic & { rank: number } => topic.rank !== undefined)
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, MOST_OFFERS)
    .map(({ name }) => ({ name, isNew: false }));
  const isKnown = topics.some((name) => isSameName(name, wanted));
  return wanted === '' || isKnown ? found : [...found, { name: wanted, isNew: true }];
}

const LONG_TOPIC = 40;

/** Whether the text in the topic field reads like the message itself. */
export const looksLikeMessage = (typed: string): boolean =>
  [...typed.trim()].length > LONG_TOPIC || /[.!?…。！？]\s+\S/u.test(typed) || /\n/.test(typed);

const TOLD_FROM = 15;

/** How many characters are left, once they are few. */
export function leftOfTopic(typed: string, longest: number): number | undefined {
  const left = longest - [...typed.trim()].length;
  return left < TOLD_FROM ? left : undefined;
}
