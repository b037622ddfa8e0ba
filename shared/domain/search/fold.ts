const MARKS = /[\u0300-\u036f]/g;

/**
 * The form in which texts are compared by a search: letter case, accents, composition and the shape of quotation
 * marks make no difference.
 */
export function fold(text: string): string {
  if (!/[^ -~\n]/.test(text)) return text.toLowerCase();
  // Upper case first, so that ß becomes ss; the sigma at the end of a word is a sigma.
  const letters = text.normalize('NFKD').replace(MARKS, '').toUpperCase().toLowerCase();
  return letters.replaceAll('ς', 'σ').replaceAll('’', "'").replace(/[“”„]/g, '"');
}
