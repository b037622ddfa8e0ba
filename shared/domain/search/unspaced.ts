/**
 * Scripts without spaces between words, and Korean, in which particles follow a word without one. A search
 * matches anywhere in their text.
 */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A word of another script; it ends where text without spaces starts, as in `npm을`. */
export const WORD = new RegExp(String.raw`[[\p{L}\p{M}\p{N}]--${UNSPACED.source}]+`, 'gv');
