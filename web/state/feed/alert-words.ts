export interface Piece {
  text: string;
  isAlert: boolean;
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Scripts without spaces between words, and Korean: a word may be a part of a longer one. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const INNER = String.raw`(?!${UNSPACED})[\p{L}\p{M}\p{N}_]`;
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');

/** A pattern that matches any of these words as a whole, in any Unicode composition; undefined without words. */
export function alertPattern(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined;
  const longestFirst = [...words].sort((a, b) => b.length - a.length).map(asWhole);
  return new RegExp(longestFirst.join('|'), 'giu');
}

function asWhole(text: string): string {
  const word = text.normalize('NFC');
  const forms = [...new Set([word, word.normalize('NFD')])].map(escaped).join('|');
  const before = STARTS_UNSPACED.test(word) ? '' : `(?<!${INNER})`;
  const after = ENDS_UNSPACED.test(word) ? '' : `(?!${INNER})`;
  return `${before}(?:${forms})${after}`;
}

/** A text in pieces, with each alert word as a piece of its own. */
export function alertPieces(text: string, pattern: RegExp): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(pattern)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isAlert: false });
    pieces.push({ text: word, isAlert: true });
    end = index + word.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isAlert: false });
  return pieces;
}
