/** The words that integrations share. Texts of senders are Markdown of strangers: they are made harmless here. */

/** One line, without what could end a link or begin another block. */
export const line = (text: string, maxLength = 300): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length <= maxLength ? flat : `${flat.slice(0, maxLength - 1).toWellFormed()}…`;
};

/** The text of a link or of emphasis. */
export const inline = (text: string): string => line(text).replaceAll(/[[\]*`\\]/g, '\\$&');

export const bold = (text: string): string => `**${inline(text)}**`;

/** Text in code; back-quotes cannot be escaped there. */
export const code = (text: string): string => `\`${line(text).replaceAll('`', "'")}\``;

/** A link, or only its text if the address is none of the web. */
export function link(text: string, url: string | undefined): string {
  const target = url === undefined ? undefined : webAddress(url);
  return target === undefined ? inline(text) : `[${inline(text)}](${target})`;
}

/** An http(s) address in a form that cannot end a Markdown link, or undefined. */
export function webAddress(url: string): string | undefined {
  if (!/^https?:\/\/[^/\s]/i.test(url) || url.length > 2000) return undefined;
  return url
    .trim()
    .replaceAll(
      /[\s<>"\\^`{|}()]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
}

/** A fence that no line of the text closes. */
const fenceFor = (mark: string, text: string): string => {
  const runs = text.match(mark === '~' ? /~{3,}/g : /`{3,}/g) ?? [];
  return mark.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
};

/** A quote block. Mentions in quotes notify no one. */
export const quote = (text: string): string => {
  const fence = fenceFor('~', text);
  return `${fence} quote\n${text.trim()}\n${fence}`;
};

export const codeBlock = (text: string, language = ''): string => {
  const fence = fenceFor('`', text);
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`;
};

/** A sentence with a full stop or, with a text, a colon and the quoted text. */
export function sentence(words: string, text?: string | undefined): string {
  if (text !== undefined && text.trim() !== '') return `${words}:\n\n${quote(text)}`;
  return /[.!?…]\)?$/.test(words) ? words : `${words}.`;
}

/** "A", "A and B", "A, B and C". */
export const enumerate = (names: string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

export const bullets = (lines: string[]): string => lines.map((item) => `* ${item}`).join('\n');

/** Paragraphs that are not blank. */
export const paragraphs = (...parts: (string | undefined | false)[]): string =>
  parts.filter((part): part is string => typeof part === 'string' && part.trim() !== '').join('\n\n');

/** Words that are there, with spaces between. */
export const words = (...parts: (string | undefined | false)[]): string =>
  parts.filter((part): part is string => typeof part === 'string' && part !== '').join(' ');

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A moment in the reader's time zone, from ISO 8601 or seconds; other texts are shown as they are. */
export function time(input: string | number): string {
  const date = new Date(typeof input === 'number' ? input * 1000 : input);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 0)
    return inline(String(input));
  return `<time:${date.toISOString().replace(/\.\d+Z$/, 'Z')}>`;
}

const ZERO_DECIMAL = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');

/** An amount in the smallest unit of its currency. */
export function money(amount: number, currency: string): string {
  const name = currency.toLowerCase();
  const shown = ZERO_DECIMAL.includes(name) ? String(amount) : (amount / 100).toFixed(2);
  return name === 'usd' ? `$${shown}` : `${shown} ${inline(currency.toUpperCase())}`;
}

/** Hashes of commits are long. */
export const shortHash = (hash: string): string => hash.slice(0, 11);

/** "1 commit", "2 commits". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The setup message of several senders. */
export const configured = (displayName: string, person?: string): string =>
  `${displayName} webhook has been successfully configured${person === undefined ? '' : ` by ${inline(person)}`}.`;

/** Keeps two characters apart. */
export const INVISIBLE = '\u200b';

/** Breaks mentions of people, groups and everyone, and links to channels. */
export const neutral = (text: string): string =>
  text.replaceAll(/@(?=_?\*)/g, `@${INVISIBLE}`).replaceAll(/#(?=\*\*)/g, `#${INVISIBLE}`);

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Markdown of simple HTML: paragraphs, emphasis, links, lists and code; other tags are dropped. */
export function fromHtml(html: string): string {
  const marked = html
    .slice(0, 20_000)
    .replaceAll(/<(script|style)\b[^>]{0,500}>[^<]{0,20000}<\/\1>/gi, '')
    .replaceAll(/<br\b[^>]{0,200}>/gi, '\n')
    .replaceAll(/<li\b[^>]{0,500}>/gi, '\n* ')
    .replaceAll(/<\/(p|div|ul|ol|h[1-6]|tr|blockquote)>/gi, '\n\n')
    .replaceAll(/<\/?(b|strong)>/gi, '**')
    .replaceAll(/<\/?(i|em)>/gi, '*')
    .replaceAll(/<\/?(code|tt)>/gi, '`')
    .replaceAll(
      /<a\b[^>]{0,500}?href="([^"<>]{1,1000})"[^<>]{0,500}>([^<]{0,1000})<\/a>/gi,
      (_all, url: string, text: string) => link(decodeEntities(text), decodeEntities(url)),
    )
    .replaceAll(/<[^<>]{0,2000}>/g, '');
  return decodeEntities(marked)
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

export const decodeEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (all, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? all;
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : '';
  });
