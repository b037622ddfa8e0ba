/** The form under which names and topics are compared: letter case and Unicode composition make no difference. */
export const toCanonical = (name: string): string => name.normalize('NFC').toLowerCase().normalize('NFC');

/**
 * What no name has: control characters, halves of characters, line separators, and what turns the direction of the text
 * around it. Joiners are welcome: scripts and emoji need them.
 */
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const UNASSIGNED = /\p{Cn}/u;

/** Whether a name has a character that no name has. */
export const hasUnfitCharacter = (name: string): boolean => UNFIT.test(name);

/** The place of the first character that no name has, or that is none as yet, counted from 1; 0 without one. */
export const placeOfUnfit = (name: string): number =>
  [...name].findIndex((character) => UNFIT.test(character) || UNASSIGNED.test(character)) + 1;
