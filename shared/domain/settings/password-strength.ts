import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const MIN_LENGTH = 6;
/** Clients read it from register (`password_min_guesses`). */
const MIN_GUESSES = 10_000;
/** The time of a judgement grows with the square of the length. The rest of a longer password does not count. */
const JUDGED_LENGTH = 64;

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: JUDGED_LENGTH });

/**
 * Whether an attacker who tries common passwords, keyboard rows and repetitions first would soon find the
 * password. `about` are words related to its owner.
 */
export function isSoonGuessed(password: string, about: string[]): boolean {
  if ([...password].length < MIN_LENGTH) return true;
  const { sequence } = zxcvbn.check(password, about.flatMap(spellings));
  // The product of the parts: zxcvbn's own sum adds 10 000 guesses to every password of two parts, like P4ssw0rd!
  return sequence.reduce((product, part) => product * part.guesses, 1) < MIN_GUESSES;
}

/** A name or address as a whole, without its separators, and its words. */
const spellings = (text: string): string[] => {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return [text, words.join(''), ...words];
};
