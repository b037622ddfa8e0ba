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
/** Runs of plain characters are one unit, because they are most of a text and fold only by letter case. */
const UNIT = /<[^>]*>|&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w+);|[ -%'-;=-~\n]+|./gsu;
const LAST_CODE_POINT = 0x10ffff;

/** The text of HTML without tags, with entities decoded. */
export const textOfHtml = (html: string): string =>
  /[<&]/.test(html) ? html.replace(MARKUP, (markup) => textOfUnit(markup)) : html;

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

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => ESCAPES[one] ?? one);
