/**
 * The form in which names and topics are compared: letter case and Unicode composition make no difference.
 */
export const toCanonical = (name: string): string => name.normalize('NFC').toLowerCase().normalize('NFC');

/**
 * Characters forbidden in names: control characters, lone surrogates, line separators and bidirectional
 * controls. Joiners are allowed because scripts and emoji need them.
 */
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const UNASSIGNED = /\p{Cn}/u;

/** Whether a name has a forbidden character. */
export const hasUnfitCharacter = (name: string): boolean => UNFIT.test(name);

/** The one-based index of the first forbidden or unassigned character; 0 when there is none. */
export const placeOfUnfit = (name: string): number =>
  [...name].findIndex((character) => UNFIT.test(character) || UNASSIGNED.test(character)) + 1;
