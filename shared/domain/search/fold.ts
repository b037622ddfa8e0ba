const MARKS = /[\u0300-\u036f]/g;

/**
 * The form in which searches compare texts, without letter case, accents, composition and styles of quotation
 * marks.
 */
export function fold(text: string): string {
  if (!/[^ -~\n]/.test(text)) return text.toLowerCase();
  // Upper case first, so that ß becomes ss; a final sigma becomes an ordinary sigma.
  const letters = text.normalize('NFKD').replace(MARKS, '').toUpperCase().toLowerCase();
  return letters.replaceAll('ς', 'σ').replaceAll('’', "'").replace(/[“”„]/g, '"');
}
