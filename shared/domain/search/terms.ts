import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { has } from '#shared/domain/narrow/content.ts';
import { type HasOperand, hasOperands, type ResolvedTerm } from '#shared/domain/narrow/term.ts';
import { fold } from './fold.ts';
import { textOfHtml } from './html-text.ts';
import type { SearchQuery } from './query.ts';
import { stem } from './stem.ts';
import { stopWords } from './stop-words.ts';
import { UNSPACED } from './unspaced.ts';

/**
 * What the search index knows messages by: numbers, each of a word's stem, of a few characters in a row, of a channel,
 * a topic, a person or a thing. Whatever a narrow asks for, a message that matches it has all the terms that are asked.
 * Two things may share a number, and grams of a phrase may stand apart, so what the index finds has to be looked at.
 */
export type SearchTerm = number;

/** Grows with each change of the terms, so that an index of others is built anew. */
export const TERMS_VERSION = 2;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Characters that mean something on their own: scripts without spaces, and symbols. */
const STANDING = new RegExp(`${UNSPACED.source}|\\p{S}`, 'u');
/** Words of these stand in every other message, and a search drops them beside others. */
const dropped = new Set(stopWords.map(stem));
const GRAM = 3;
/** Of a longer phrase so many of its grams are looked up, spread over it. */
const GRAMS_PER_PHRASE = 4;
/** No narrow needs more to find few messages; all else is left to the look at what is found. */
const MAX_ASKED = 24;

/** All terms of a message. */
export function termsOf(message: Message): Set<SearchTerm> {
  const terms = new Set(placeTerms(message));
  terms.add(senderTerm(message.senderId));
  for (const operand of hasOperands) if (has(message, operand)) terms.add(thingTerm(operand));
  for (const userId of message.mentions?.userIds ?? []) terms.add(mentionTerm(userId));
  addTextTerms(terms, textOfHtml(message.html));
  if (message.kind === 'channel') addTextTerms(terms, message.topic);
  return terms;
}

/**
 * The terms that every message has which fulfils a narrow; none where the narrow asks for nothing that only the index
 * finds, beside the place where to look.
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
    // Topics of a channel have a source of their own.
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
  return [...stems.filter((one) => !dropped.has(one)).map(wordTerm), ...phrases.flatMap(phraseTerms)];
}

/** A phrase may begin and end within a word; what has a border on both sides is a word of the text as well. */
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
    .filter((word) => !UNSPACED.test(word))
    .map(stem)
    .filter((one) => !dropped.has(one))
    .map(wordTerm);

/**
 * Characters in a row, without spaces: three, or of those that stand on their own one and two. Half a character, which
 * a phrase can begin or end with, belongs to none. A part of a text needs no single ones where two of them meet.
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
  const isStanding = characters.map((one) => STANDING.test(one));
  let from = 0;
  for (const [n, one] of characters.entries()) {
    if (!isStanding[n]) continue;
    addTriples(grams, characters, from, n);
    from = n + 1;
    if (isStanding[n + 1]) grams.push(one + characters[n + 1]);
    if (!isPart || !(isStanding[n - 1] || isStanding[n + 1])) grams.push(one);
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

/** FNV-1a, its bits mixed as Murmur3 does it, so that the highest tell terms apart. */
function hash(kind: string, text = ''): SearchTerm {
  let mixed = Math.imul(0x811c9dc5 ^ kind.charCodeAt(0), 0x01000193);
  for (let n = 0; n < text.length; n++) mixed = Math.imul(mixed ^ text.charCodeAt(n), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const directTerm = hash('d');
