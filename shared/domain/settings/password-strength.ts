const MIN_LENGTH = 6;
/** Clients read it from register (`password_min_guesses`). */
const MIN_GUESSES = 10_000;
const GUESSES_PER_CHARACTER = 10;
const GUESSES_PER_WORD = 80;
const GUESSES_PER_RUN = 20;

const KNOWN_WORDS =
  'password passwort letmein welcome dragon monkey master shadow sunshine princess football baseball superman batman iloveyou trustno1 starwars whatever freedom login admin administrator secret changeme default hunter michael jordan ashley jennifer charlie summer winter spring autumn hello test guest chat team qwertz azerty'.split(
    ' ',
  );
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
];
const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

/** Why a password that an administrator or operator chose is refused. For them the reason is no secret. */
export const WEAK_PASSWORD =
  'known words, the name or address of its user, rows of keys and repetitions are soon guessed.';

/**
 * Whether an attacker who tries words, names, keyboard rows and repetitions first would soon find the
 * password. `about` are words related to its owner.
 */
export function isWeakPassword(password: string, about: string[]): boolean {
  if ([...password].length < MIN_LENGTH) return true;
  const text = oneRepetition(password.toLowerCase());
  const words = [...KNOWN_WORDS, ...about.flatMap((one) => one.toLowerCase().split(/[^\p{L}\p{N}]+/u))];
  return Math.min(guesses(text, words), guesses(unleet(text), words)) < MIN_GUESSES;
}

/** The repeated part of a text that consists of repetitions. */
const oneRepetition = (text: string): string => /^(.+?)\1+$/su.exec(text)?.[1] ?? text;

const unleet = (text: string): string => [...text].map((letter) => LEET[letter] ?? letter).join('');

function guesses(text: string, words: string[]): number {
  let count = 1;
  for (let rest = text; rest !== '' && count < MIN_GUESSES; ) {
    const word = words.filter((one) => one.length > 2 && rest.startsWith(one)).sort(byLength)[0];
    const run = runLength(rest);
    const [first = ''] = rest;
    if (word && word.length >= run) count *= GUESSES_PER_WORD;
    else if (run > 2) count *= GUESSES_PER_RUN;
    else count *= GUESSES_PER_CHARACTER;
    rest = rest.slice(Math.max(word?.length ?? 0, run > 2 ? run : 0, first.length));
  }
  return count;
}

const byLength = (one: string, other: string): number => other.length - one.length;

/** The length of the initial run of equal or adjacent characters, in the alphabet or on a keyboard. */
function runLength(text: string): number {
  const same = /^(.)\1*/su.exec(text)?.[0].length ?? 0;
  const rows = [...ROWS, ...ROWS.map((row) => [...row].reverse().join(''))];
  return Math.max(
    same,
    ...rows.map((row) => sharedLength(text, row.slice(Math.max(0, row.indexOf(text[0] ?? ''))))),
  );
}

function sharedLength(text: string, row: string): number {
  let length = 0;
  while (length < row.length && text[length] === row[length]) length++;
  return length;
}
