import { textOfHtml } from '#shared/domain/html-text.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { UNSPACED } from '#shared/domain/search/unspaced.ts';
import type { AlertWord, AlertWords } from './alert-words.ts';
import { WordIndex } from './word-index.ts';

/** Code blocks, and links whose text is their address: words in them address no reader. */
const UNHEARD = /<pre>.*?<\/pre>|<a [^>]*>(?:https?:|mailto:|www\.)[^<\s]*<\/a>/gis;

/** Allowed neighbours of an ASCII word. A colon is missing before it, because it would start an emoji. */
const BEFORE = new Set(' \t\r\n("\'.,;[*`>');
const AFTER = new Set(' \t\r\n)"\'.,;]*`:?!');
/** Punctuation and spaces of other scripts separate words on both sides. */
const DIVIDES = /[\p{P}\p{Z}]/u;
const ASCII_END = 0x80;

/** Finds the messages that contained an alert word of the reader at the time they were sent. */
export interface Alerts {
  concern(message: Message): boolean;
}

/** For users who never had an alert word. */
export const noAlerts: Alerts = { concern: () => false };

export function alertsOf({ words, past }: AlertWords): Alerts {
  const all = [...words, ...past];
  if (all.length === 0) return noAlerts;
  const byWord = Map.groupBy(all, ({ word }) => toCanonical(word));
  const index = new WordIndex(byWord.keys());
  return {
    concern({ messageId, html }) {
      const text = heardText(html);
      const isAsked = (word: string): boolean =>
        byWord.get(word)?.some((word) => appliesAt(word, messageId)) ?? false;
      for (const { from } of index.find(text, { isAsked, mayEnd: (to) => mayEnd(text, to) }))
        if (mayBegin(text, from)) return true;
      return false;
    },
  };
}

const appliesAt = ({ after, upTo = Number.POSITIVE_INFINITY }: AlertWord, messageId: number): boolean =>
  after < messageId && messageId <= upTo;

const heardText = (html: string): string => toCanonical(textOfHtml(html.replace(UNHEARD, ' ')));

const mayBegin = (text: string, from: number): boolean =>
  divides(characterBefore(text, from), characterAt(text, from) ?? '', BEFORE);

const mayEnd = (text: string, to: number): boolean =>
  divides(characterAt(text, to), characterBefore(text, to) ?? '', AFTER);

/** Whether a word may begin or end with this character next to this neighbour. */
function divides(neighbour: string | undefined, edge: string, ascii: Set<string>): boolean {
  if (neighbour === undefined || UNSPACED.test(edge) || UNSPACED.test(neighbour)) return true;
  return neighbour.charCodeAt(0) < ASCII_END ? ascii.has(neighbour) : DIVIDES.test(neighbour);
}

const characterAt = (text: string, index: number): string | undefined =>
  index < text.length ? String.fromCodePoint(text.codePointAt(index) ?? 0) : undefined;

const characterBefore = (text: string, index: number): string | undefined =>
  index > 0 ? [...text.slice(Math.max(0, index - 2), index)].at(-1) : undefined;
