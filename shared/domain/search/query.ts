import type { Message } from '#shared/domain/messages/message.ts';
import { fold } from './fold.ts';
import { textOfHtml } from './html-text.ts';
import { stem } from './stem.ts';
import { stopWords } from './stop-words.ts';
import { UNSPACED } from './unspaced.ts';

/** What a search asks for: every word, by its stem, and every phrase, anywhere in the text. */
export interface SearchQuery {
  stems: string[];
  phrases: string[];
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const dropped = new Set(stopWords);

/**
 * Reads what was typed: phrases in quotation marks, and words. Stop words are dropped unless nothing else is asked
 * for. What holds other characters within, as in `2.0` or `a@b.c`, is a phrase.
 */
export function parseSearch(given: string): SearchQuery {
  const query: SearchQuery = { stems: [], phrases: [] };
  const words: string[] = [];
  for (const [chunk, quoted] of fold(given).matchAll(/"([^"]*)"|\S+/g)) {
    const asked = quoted ?? wordsIn(chunk);
    if (quoted === undefined && isWord(asked)) words.push(asked);
    else if (asked.trim() !== '' && !query.phrases.includes(asked)) query.phrases.push(asked);
  }
  const telling = words.filter((word) => !dropped.has(word));
  const asked = telling.length + query.phrases.length > 0 ? telling : words;
  query.stems.push(...new Set(asked.map(stem)));
  return query;
}

/** From the first to the last letter or digit; all of it where there is none. */
const wordsIn = (chunk: string): string =>
  /[\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/u.exec(chunk)?.[0] ?? chunk;

/** Where words are not told apart by spaces, what is asked for may begin anywhere. */
const isWord = (text: string): boolean => /^[\p{L}\p{M}\p{N}]+$/u.test(text) && !UNSPACED.test(text);

/** Whether all that is asked for stands in the topic or the content of a message. */
export function isFoundIn({ stems, phrases }: SearchQuery, message: Message): boolean {
  const texts = textsOf(message);
  return (
    phrases.every((phrase) => texts.some(({ text }) => text.includes(phrase))) &&
    stems.every((one) => texts.some((text) => text.hasWord(one)))
  );
}

/** Where a folded text has what is asked for: pairs of begin and end, in no particular order. */
export function findRanges({ stems, phrases }: SearchQuery, text: string): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  const wanted = new Set(stems);
  if (wanted.size > 0)
    for (const { 0: word, index } of text.matchAll(WORD))
      if (wanted.has(stem(word))) ranges.push([index, index + word.length]);
  for (const phrase of phrases)
    for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + phrase.length))
      ranges.push([at, at + phrase.length]);
  return ranges;
}

/** A folded text whose words are taken apart when they are first asked for. */
class SearchableText {
  readonly text: string;
  #stems: Set<string> | undefined;

  constructor(text: string) {
    this.text = fold(text);
  }

  /** All but the last letter of a stem begins its words, so most texts need not be taken apart. */
  hasWord(wanted: string): boolean {
    if (!this.text.includes(wanted.slice(0, -1))) return false;
    this.#stems ??= new Set((this.text.match(WORD) ?? []).map(stem));
    return this.#stems.has(wanted);
  }
}

const known = new WeakMap<Message, SearchableText[]>();

/** Content and topic of a message; a narrow of many terms asks for them many times. */
function textsOf(message: Message): SearchableText[] {
  const texts = known.get(message) ?? [
    new SearchableText(textOfHtml(message.html)),
    ...(message.kind === 'channel' ? [new SearchableText(message.topic)] : []),
  ];
  known.set(message, texts);
  return texts;
}
