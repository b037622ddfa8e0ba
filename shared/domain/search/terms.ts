import { textsOfHtml } from '#shared/domain/html-text.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { has } from '#shared/domain/narrow/content.ts';
import { type HasOperand, hasOperands, type ResolvedTerm } from '#shared/domain/narrow/term.ts';
import { fold } from './fold.ts';
import type { SearchQuery } from './query.ts';
import { stem } from './stem.ts';
import { stopWords } from './stop-words.ts';
import { UNSPACED, WORD } from './unspaced.ts';

/**
 * A term of the search index: the hash of a word's stem, of a short run of characters, or of a channel,
 * topic, person or feature. A message that matches a narrow has all terms of the narrow. Hashes can collide
 * and runs of a phrase can be scattered, so every result of the index is checked against the message.
 */
export type SearchTerm = number;

/** Raise it when the terms change; the index is then rebuilt. */
export const TERMS_VERSION = 3;

/** Characters that are meaningful alone: characters of scripts without spaces, and symbols. */
const STANDING = new RegExp(`${UNSPACED.source}|\\p{S}`, 'u');
/** Every other message contains these words, so a search drops them beside others. */
const dropped = new Set(stopWords.map(stem));
const GRAM = 3;
/** For longer phrases only this many runs are looked up, spread over the phrase. */
const GRAMS_PER_PHRASE = 4;
/** More terms would hardly reduce the results, which are all checked anyway. */
const MAX_ASKED = 24;

/** All terms of a message. */
export function termsOf(message: Message): Set<SearchTerm> {
  const terms = new Set(placeTerms(message));
  terms.add(senderTerm(message.senderId));
  for (const operand of hasOperands) if (has(message, operand)) terms.add(thingTerm(operand));
  for (const userId of message.mentions?.userIds ?? []) terms.add(mentionTerm(userId));
  for (const text of textsOfHtml(message.html)) addTextTerms(terms, text);
  if (message.kind === 'channel') addTextTerms(terms, message.topic);
  return terms;
}

/**
 * The terms that every message matching the narrow has; empty when the index cannot narrow the search beyond
 * its place.
 */
export function termsAsked(narrow: ResolvedTerm[], callerId: number): SearchTerm[] {
  const wanted = narrow.filter(({ isNegated }) => !isNegated);
  const isInChannel = wanted.some(({ kind }) => kind === 'channel');
  const telling = wanted.flatMap((term) => tellingTerms(term, isInChannel));
  if (telling.length === 0) return [];
  const places = wanted.flatMap((term) => askedPlaces(term, callerId));
  return [...new Set([...telling, ...places])].slice(0, MAX_ASKED);
}

function tellingTerms(term: ResolvedTerm, isInChannel: boolean): SearchTerm[] {
  switch (term.kind) {
    case 'search':
      return queryTerms(term.query);
    case 'sender':
      return [senderTerm(term.user)];
    case 'mentions':
      return [mentionTerm(term.user)];
    case 'has':
      return term.operand === 'reaction' ? [] : [thingTerm(term.operand)];
    // Topics of a channel are a source of their own.
    case 'topic':
      return isInChannel ? [] : [topicTerm(term.topic)];
    default:
      return [];
  }
}

function askedPlaces(term: ResolvedTerm, callerId: number): SearchTerm[] {
  switch (term.kind) {
    case 'channel':
      return [channelTerm(term.channel)];
    case 'topic':
      return [topicTerm(term.topic)];
    case 'direct':
      return [directTerm, ...[...term.users, callerId].map(participantTerm)];
    case 'directIncluding':
      return [directTerm, participantTerm(term.user)];
    case 'is':
      return term.operand === 'dm' ? [directTerm, participantTerm(callerId)] : [];
    default:
      return [];
  }
}

function placeTerms(message: Message): SearchTerm[] {
  if (message.kind === 'channel') return [channelTerm(message.channelId), topicTerm(message.topic)];
  return [directTerm, ...message.recipients.map(({ id }) => participantTerm(id))];
}

function queryTerms({ stems, phrases }: SearchQuery): SearchTerm[] {
  return [...stems.filter((word) => !dropped.has(word)).map(wordTerm), ...phrases.flatMap(phraseTerms)];
}

/** A phrase may begin and end inside a word; parts with word boundaries on both sides are whole words. */
function phraseTerms(phrase: string): SearchTerm[] {
  const grams = [...new Set(gramsOf(phrase, { isPart: true }))];
  const step = Math.max(1, grams.length / GRAMS_PER_PHRASE);
  const spread = grams.filter((_, n) => n === 0 || Math.floor(n / step) > Math.floor((n - 1) / step));
  const words = [...phrase.matchAll(WORD)]
    .filter(({ 0: word, index }) => index > 0 && index + word.length < phrase.length)
    .map(([word]) => word);
  return [...(phrase.isWellFormed() ? stemTerms(words) : []), ...spread.map(gramTerm)];
}

function addTextTerms(terms: Set<SearchTerm>, text: string): void {
  const folded = fold(text);
  for (const term of stemTerms(folded.match(WORD) ?? [])) terms.add(term);
  for (const gram of gramsOf(folded)) terms.add(gramTerm(gram));
}

const stemTerms = (words: string[]): SearchTerm[] =>
  words
    .map(stem)
    .filter((term) => !dropped.has(term))
    .map(wordTerm);

/**
 * Runs of characters without spaces: three each, or one and two for characters that are meaningful alone.
 * Half a surrogate pair, at either end of a phrase, belongs to none. For a part of a text, single characters
 * are omitted where two adjoin.
 */
function gramsOf(text: string, { isPart = false } = {}): string[] {
  const grams: string[] = [];
  for (const [run] of text.matchAll(/[^\s\ud800-\udfff]+/gu)) {
    const characters = [...run];
    if (!STANDING.test(run)) addTriples(grams, characters, 0, characters.length);
    else addMixed(grams, characters, isPart);
  }
  return grams;
}

function addTriples(grams: string[], characters: string[], from: number, to: number): void {
  for (let n = from; n + GRAM <= to; n++)
    grams.push(`${characters[n]}${characters[n + 1]}${characters[n + 2]}`);
}

function addMixed(grams: string[], characters: string[], isPart: boolean): void {
  const isStanding = characters.map((character) => STANDING.test(character));
  let from = 0;
  for (const [n, character] of characters.entries()) {
    if (!isStanding[n]) continue;
    addTriples(grams, characters, from, n);
    from = n + 1;
    if (isStanding[n + 1]) grams.push(character + characters[n + 1]);
    if (!isPart || !(isStanding[n - 1] || isStanding[n + 1])) grams.push(character);
  }
  addTriples(grams, characters, from, characters.length);
}

const wordTerm = (stemmed: string): SearchTerm => hash('w', stemmed);
const gramTerm = (gram: string): SearchTerm => hash('g', gram);
const channelTerm = (channelId: number): SearchTerm => hash('c', String(channelId));
const topicTerm = (topic: string): SearchTerm => hash('t', toCanonical(topic));
const senderTerm = (userId: number): SearchTerm => hash('s', String(userId));
const mentionTerm = (userId: number): SearchTerm => hash('m', String(userId));
const participantTerm = (userId: number): SearchTerm => hash('p', String(userId));
const thingTerm = (operand: HasOperand): SearchTerm => hash('h', operand);

/** FNV-1a, finished like Murmur3 so that the highest bits distinguish terms. */
function hash(kind: string, text = ''): SearchTerm {
  let mixed = Math.imul(0x811c9dc5 ^ kind.charCodeAt(0), 0x01000193);
  for (let n = 0; n < text.length; n++) mixed = Math.imul(mixed ^ text.charCodeAt(n), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const directTerm = hash('d');
