/** How names are looked up: letters are compared without case and marks, and one slip of the finger is forgiven. */

/** Marks of letters, and characters that only join, stretch or turn them. */
const MARKS = /[\p{M}\p{Cf}ـ]/gu;

/** Letters and signs that are typed one for the other, behind the one that is compared. */
const FORMS = "oø lł dđð iı hħ σς یيىے کك هةہھ כך מם נן פף צץ '’‘ʼ` -‐–—".split(' ');
const PLAIN: Record<string, string> = { œ: 'oe', æ: 'ae', ß: 'ss', þ: 'th' };
for (const [form = '', ...others] of FORMS) for (const other of others) PLAIN[other] = form;
/** How far katakana are from hiragana. */
const KANA = 0x60;

/**
 * A name as it is compared: without case and marks, with one form for letters that have several, as σ and ς or ي and ی, and
 * with the letters that no mark makes, as ø and ß.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/[^\0-~]|`/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - KANA));

/** Whether a name holds these letters. */
export const holds = (name: string, wanted: string): boolean => fold(name).includes(fold(wanted.trim()));

const isWordStart = (name: string, at: number): boolean => /[\s\-_/.,:;#>(]/.test(name[at - 1] ?? '');

/** Words shorter than this must be typed without a slip. */
const FORGIVEN_FROM = 4;

/**
 * How well a name fits the typed text, the smallest best: 0 equal, 1 begins so, 2 a word begins so, 3 within, 4 its words
 * begin with the words typed, 5 its letters in this order, 6 with one slip. Undefined if it does not fit.
 */
export function matchRank(name: string, typed: string): number | undefined {
  const [whole, wanted] = [fold(name), fold(typed.trim())];
  if (wanted === '' || whole === wanted) return 0;
  if (whole.startsWith(wanted)) return 1;
  for (let at = whole.indexOf(wanted, 1); at >= 0; at = whole.indexOf(wanted, at + 1))
    if (isWordStart(whole, at)) return 2;
  if (whole.includes(wanted)) return 3;
  const words = whole.split(/[\s\-_/.,:;#>()]+/);
  const parts = wanted.split(/\s+/);
  if (parts.length > 1 && parts.every((part) => words.some((word) => word.startsWith(part)))) return 4;
  if (wanted.length >= 3 && isInOrder(words, wanted)) return 5;
  if (wanted.length < FORGIVEN_FROM) return undefined;
  return isNearly(words, whole, wanted) ? 6 : undefined;
}

/** Whether the letters are the first ones of the words, as `rn` for “release notes”. */
const isInOrder = (words: readonly string[], wanted: string): boolean =>
  words
    .map((word) => word[0] ?? '')
    .join('')
    .startsWith(wanted);

/** Whether the beginning of the name, or of one of its words, is one slip away from the typed text. */
const isNearly = (words: readonly string[], whole: string, wanted: string): boolean =>
  [whole, ...words].some((word) =>
    [-1, 0, 1].some((more) => isOneSlip(word.slice(0, wanted.length + more), wanted)),
  );

/** Whether one letter is missing, added or another one, or two are in the wrong order. */
export function isOneSlip(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB.slice(1)) return true;
  if (restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}
