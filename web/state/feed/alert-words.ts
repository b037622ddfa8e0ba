export interface Piece {
  text: string;
  isAlert: boolean;
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** An expression that finds any of these words as a whole; undefined where there are none. */
export function alertPattern(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined;
  const longestFirst = [...words].sort((a, b) => b.length - a.length).map(escaped);
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${longestFirst.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
}

/** A text in pieces, so that its alert words stand alone. */
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
