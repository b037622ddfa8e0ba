/** The entities that message HTML can contain; the renderer writes all other characters literally. */
const CHARACTERS: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};
const ENTITY = /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));$/i;
const MARKUP = /<[^>]*>|&(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);/gi;
/**
 * Runs of plain characters are one unit, because they are most of a text and fold only by letter case; so are
 * runs of Korean letters, which fold to syllables.
 */
const UNIT = /<[^>]*>|&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w+);|[ -%'-;=-~\n]+|[\u1100-\u11ff]+|./gsu;
const LAST_CODE_POINT = 0x10ffff;

/** The text of HTML without tags, with entities decoded. */
export const textOfHtml = (html: string): string =>
  /[<&]/.test(html) ? html.replace(MARKUP, (markup) => textOfUnit(markup)) : html;

const EMOJI = /<span [^>]*class="emoji emoji-([\da-f]{4,5}(?:-[\da-f]{4,5})*)"[^>]*>[^<]*<\/span>/g;
const EMOJI_TAG = /^<span [^>]*class="emoji emoji-([\da-f]{4,5}(?:-[\da-f]{4,5})*)"/;

/** The texts that a search looks at: with emoji as names and, if there are any, as characters. */
export function textsOfHtml(html: string): string[] {
  const withCharacters = html.replace(EMOJI, (_, code: string) => characterOf(code));
  return withCharacters === html ? [textOfHtml(html)] : [textOfHtml(html), textOfHtml(withCharacters)];
}

/** The character of an emoji that this tag starts, if it does. */
export function emojiOfTag(tag: string | undefined): string | undefined {
  const code = EMOJI_TAG.exec(tag ?? '')?.[1];
  return code === undefined ? undefined : characterOf(code);
}

/** The characters of a code: code points in hexadecimal digits, between hyphens. */
const characterOf = (code: string): string =>
  String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)));

/**
 * The units of HTML: a tag, an entity, another character, or a run of plain ones. Joined, they are the same
 * HTML.
 */
export const unitsOfHtml = (html: string): string[] => html.match(UNIT) ?? [];

export const isTag = (unit: string): boolean => unit.length > 1 && unit.startsWith('<');

/** The visible text of a unit; empty for tags. */
export function textOfUnit(unit: string): string {
  if (isTag(unit)) return '';
  const [, decimal, hexadecimal, name] = ENTITY.exec(unit) ?? [];
  if (name !== undefined) return CHARACTERS[name] ?? unit;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : unit;
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
