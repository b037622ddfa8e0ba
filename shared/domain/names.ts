/**
 * The form in which names and topics are compared: letter case and Unicode composition make no difference.
 */
export const toCanonical = (name: string): string => name.normalize('NFC').toLowerCase().normalize('NFC');

/**
 * Characters forbidden in names: control characters, lone surrogates, line separators, bidirectional controls, and
 * characters that show nothing, with which a name would look like another one or like none.
 */
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800]/u;
const UNASSIGNED = /\p{Cn}/u;

/** A character of a script whose letters take another shape beside a joiner. */
const JOINING = `[${[
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Tai_Le'],
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('')}]`;
const PICTURE = String.raw`\p{Extended_Pictographic}`;

/** Characters that show nothing by themselves, where scripts and emoji need them. */
const NEEDED = new RegExp(
  [
    String.raw`(?<=🏴)[\u{e0020}-\u{e007e}]+\u{e007f}`,
    String.raw`(?<=[${PICTURE}\p{Emoji_Modifier}\ufe0f])\u200d(?=${PICTURE})`,
    String.raw`(?<=${PICTURE})[\ufe0e\ufe0f]`,
    String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
    String.raw`(?<=${JOINING})[\u200c\u200d](?=${JOINING})`,
    String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180f]`,
  ].join('|'),
  'gu',
);
const VISIBLE = 'x';

/** The name with something visible in the place of each needed character. */
const withoutNeeded = (name: string): string =>
  name.replace(NEEDED, (needed) => VISIBLE.repeat([...needed].length));

/** Whether a name has a forbidden character. */
export const hasUnfitCharacter = (name: string): boolean =>
  UNFIT.test(name) && UNFIT.test(withoutNeeded(name));

/** The one-based index of the first forbidden or unassigned character; 0 when there is none. */
export const placeOfUnfit = (name: string): number =>
  [...withoutNeeded(name)].findIndex((character) => UNFIT.test(character) || UNASSIGNED.test(character)) + 1;
