/**
 * The common part of an English word's plural, past and -ing forms, by the first and the last step of
 * Porter's algorithm (1980). Both sides of a comparison are stemmed, so a stem need not be a word.
 */
export function stem(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  return withoutFinalE(withFinalI(withoutEnding(withoutPlural(word))));
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const rest = /^(.*?)(?:ed|ing)$/.exec(word)?.[1];
  if (rest === undefined || !soundsOf(rest).includes('v')) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/([^aeioulsz])\1$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && isShort(rest) ? `${rest}e` : rest;
}

const withFinalI = (word: string): string =>
  word.endsWith('y') && soundsOf(word.slice(0, -1)).includes('v') ? `${word.slice(0, -1)}i` : word;

function withoutFinalE(word: string): string {
  const rest = word.slice(0, -1);
  if (!word.endsWith('e')) return word;
  return measure(rest) > 1 || (measure(rest) === 1 && !isShort(rest)) ? rest : word;
}

/** Consonants and vowels, one letter each; a y after a consonant is a vowel. */
const soundsOf = (word: string): string =>
  word
    .replace(/[aeiou]|(?<=[^aeiou])y/g, '.')
    .replace(/[^.]/g, 'c')
    .replaceAll('.', 'v');

/** The number of vowel-consonant sequences. */
const measure = (word: string): number => soundsOf(word).match(/vc/g)?.length ?? 0;

/** Whether it ends in consonant, vowel, consonant, the last of which is not w, x or y. */
const isShort = (word: string): boolean => soundsOf(word).endsWith('cvc') && !/[wxy]$/.test(word);
