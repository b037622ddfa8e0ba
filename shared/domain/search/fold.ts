/** Accents, the marks of Arabic and Hebrew that are usually left out, and the Arabic elongation. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff]/g;
/** Characters that show nothing: soft hyphens, joiners, and selectors of an emoji's style. */
const HIDDEN = /[\u00ad\u200b-\u200f\u2060\ufeff]|[\ufe00-\ufe0f]/g;
/** Korean letters outside syllables. */
const JAMO = /[\u1100-\u11ff]+/g;

/**
 * The form in which searches compare texts, without letter case, accents, composition, hidden characters and
 * styles of quotation marks.
 */
export function fold(text: string): string {
  if (!/[^ -~\n]/.test(text)) return text.toLowerCase();
  // Upper case first, so that ß becomes ss; a final sigma becomes an ordinary sigma.
  const letters = text
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(HIDDEN, '')
    .toUpperCase()
    .toLowerCase()
    .replace(JAMO, (run) => run.normalize('NFC'));
  return letters.replaceAll('ς', 'σ').replaceAll('’', "'").replace(/[“”„]/g, '"');
}
