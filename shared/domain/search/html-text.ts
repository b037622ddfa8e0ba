/** The entities that HTML of messages can hold; a renderer writes every other character as itself. */
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
/** Plain characters are most of a text, and searched as they are but for their letter case: they need not be told apart. */
const UNIT = /<[^>]*>|&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w+);|[ -%'-;=-~\n]+|./gsu;
const LAST_CODE_POINT = 0x10ffff;

/** What stands between the tags of HTML, with entities as the characters that they mean. */
export const textOfHtml = (html: string): string =>
  /[<&]/.test(html) ? html.replace(MARKUP, (markup) => textOfUnit(markup)) : html;

/** The parts of HTML: a tag, an entity, another character, or a run of plain ones. Joined they are the HTML again. */
export const unitsOfHtml = (html: string): string[] => html.match(UNIT) ?? [];

export const isTag = (unit: string): boolean => unit.length > 1 && unit.startsWith('<');

/** The text that a part of HTML shows; tags show none. */
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
