import { textsOfHtml } from '#shared/domain/html-text.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { fold } from './fold.ts';
import { stem } from './stem.ts';
import { stopWords } from './stop-words.ts';
import { UNSPACED, WORD } from './unspaced.ts';

/** A search query: all words, compared by stem, and all phrases, anywhere in the text. */
export interface SearchQuery {
  stems: string[];
  phrases: string[];
}

const dropped = new Set(stopWords);

/**
 * Parses the typed text: phrases in quotation marks, and words. Stop words are dropped unless there is
 * nothing else. Text with other characters inside, such as `2.0` or `a@b.c`, is a phrase.
 */
export function parseSearch(input: string): SearchQuery {
  const query: SearchQuery = { stems: [], phrases: [] };
  const words: string[] = [];
  for (const [chunk, quoted] of fold(input).matchAll(/"([^"]*)"|\S+/g)) {
    const asked = quoted ?? wordsIn(chunk);
    if (quoted === undefined && isWord(asked)) words.push(asked);
    else if (asked.trim() !== '' && !query.phrases.includes(asked)) query.phrases.push(asked);
  }
  const telling = words.filter((word) => !dropped.has(word));
  const asked = telling.length + query.phrases.length > 0 ? telling : words;
  query.stems.push(...new Set(asked.map(stem)));
  return query;
}

/** From the first to the last letter or digit; the whole chunk when there is none. */
const wordsIn = (chunk: string): string =>
  /[\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/u.exec(chunk)?.[0] ?? chunk;

/** In scripts without spaces, a query may match at any place. */
const isWord = (text: string): boolean => /^[\p{L}\p{M}\p{N}]+$/u.test(text) && !UNSPACED.test(text);

/** Whether topic or content of a message contain everything in the query. */
export function isFoundIn({ stems, phrases }: SearchQuery, message: Message): boolean {
  const texts = textsOf(message);
  return (
    phrases.every((phrase) => texts.some(({ text }) => text.includes(phrase))) &&
    stems.every((candidate) => texts.some((text) => text.hasWord(candidate)))
  );
}

/** The matches in a folded text: pairs of begin and end, unordered. */
export function findRanges({ stems, phrases }: SearchQuery, text: string): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  const wanted = new Set(stems);
  for (const { 0: word, index } of text.matchAll(WORD))
    if (wanted.has(stem(word))) ranges.push([index, index + word.length]);
  for (const phrase of phrases)
    for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + phrase.length))
      ranges.push([at, at + phrase.length]);
  return ranges;
}

/** A folded text that is split into words on first use. */
class SearchableText {
  readonly text: string;
  #stems: Set<string> | undefined;

  constructor(text: string) {
    this.text = fold(text);
  }

  /** A word starts with its stem except for the stem's last letter, so most texts need not be split. */
  hasWord(wanted: string): boolean {
    if (!this.text.includes(wanted.slice(0, -1))) return false;
    this.#stems ??= new Set((this.text.match(WORD) ?? []).map(stem));
    return this.#stems.has(wanted);
  }
}

const known = new WeakMap<Message, SearchableText[]>();

/** Content and topic of a message, cached because a narrow with many terms reads them repeatedly. */
function textsOf(message: Message): SearchableText[] {
  const texts = known.get(message) ?? [
    ...textsOfHtml(message.html).map((text) => new SearchableText(text)),
    ...(message.kind === 'channel' ? [new SearchableText(message.topic)] : []),
  ];
  known.set(message, texts);
  return texts;
}
