/** The metadata in the head of a page. */
export interface PageData {
  title?: string;
  description?: string;
  /** The absolute address of its picture. */
  image?: string;
}

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 400;
/** A page has few of them; further ones do not count. */
const MAX_TAGS = 5_000;

const TAG = /<(\/?[a-z][a-z0-9]*)/iy;
const ATTRIBUTE = /[\s/]*([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/y;
/** Their contents are no markup. */
const OPAQUE = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'iframe']);

/**
 * Reads title, description and picture of a page from its Open Graph and Twitter tags, or from its title and its
 * description for search engines. One pass, so that no page takes long.
 */
export function readPage(html: string, address: string): PageData {
  const { meta, title } = scan(html);
  const first = (...names: string[]): string | undefined =>
    names.map((name) => cleaned(meta.get(name) ?? '')).find((text) => text !== '');
  const named = first('og:title', 'twitter:title') ?? cleaned(title);
  const described = first('og:description', 'twitter:description', 'description');
  const image = first(
    'og:image:secure_url',
    'og:image',
    'og:image:url',
    'twitter:image',
    'twitter:image:src',
  );
  const resolved = image === undefined ? undefined : URL.parse(image, address);
  return {
    ...(named !== '' && { title: shortened(named, MAX_TITLE) }),
    ...(described !== undefined && { description: shortened(described, MAX_DESCRIPTION) }),
    ...(resolved && /^https?:$/.test(resolved.protocol) && { image: resolved.href }),
  };
}

/** The title of a video in its oEmbed description; nothing else of that is used. */
export function readVideoTitle(json: Uint8Array): string | undefined {
  try {
    const { title } = (JSON.parse(new TextDecoder().decode(json)) ?? {}) as { title?: unknown };
    const text = typeof title === 'string' ? cleaned(title) : '';
    return text === '' ? undefined : shortened(text, MAX_TITLE);
  } catch {
    return undefined;
  }
}

/** The first value of each meta element, and the text of the title. */
function scan(html: string): { meta: Map<string, string>; title: string } {
  const meta = new Map<string, string>();
  let title = '';
  let at = html.indexOf('<');
  for (let tags = 0; at >= 0 && tags < MAX_TAGS; tags++) {
    const next = readTag(html, at);
    if (next.name === '/head' || next.name === 'body') break;
    if (next.name === 'meta') noteMeta(meta, next.attributes);
    if (next.name === 'title' && title === '') title = textAfter(html, next.end);
    at = html.indexOf('<', OPAQUE.has(next.name) ? endOf(html, next.name, next.end) : next.end);
  }
  return { meta, title };
}

/** The text between the end of a start tag and the next tag; empty if the page ends before. */
function textAfter(html: string, tagEnd: number): string {
  const begin = html.indexOf('>', tagEnd);
  const close = begin < 0 ? -1 : html.indexOf('<', begin);
  return close < 0 ? '' : decoded(html.slice(begin + 1, close));
}

interface Tag {
  name: string;
  attributes: Map<string, string>;
  end: number;
}

function readTag(html: string, at: number): Tag {
  if (html.startsWith('<!--', at)) {
    const end = html.indexOf('-->', at + 4);
    return { name: '', attributes: new Map(), end: end < 0 ? html.length : end + 3 };
  }
  TAG.lastIndex = at;
  const [text, written = ''] = TAG.exec(html) ?? ['<'];
  const name = written.toLowerCase();
  const attributes = new Map<string, string>();
  let end = at + text.length;
  if (name === 'meta') {
    for (let count = 0; count < 20; count++) {
      ATTRIBUTE.lastIndex = end;
      const found = ATTRIBUTE.exec(html);
      if (!found) break;
      const [whole, key = '', double, single, plain] = found;
      attributes.set(key.toLowerCase(), decoded(double ?? single ?? plain ?? ''));
      end += whole.length;
    }
  }
  return { name, attributes, end };
}

function noteMeta(meta: Map<string, string>, attributes: Map<string, string>): void {
  const name = (attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase();
  const content = attributes.get('content');
  if (name !== '' && content !== undefined && !meta.has(name)) meta.set(name, content);
}

/** The position after the end tag of an element whose content is no markup. */
function endOf(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  middot: '·',
  bull: '•',
  copy: '©',
  reg: '®',
  trade: '™',
};
const LAST_CODE_POINT = 0x10ffff;

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (entity, decimal, hexadecimal, name) => {
    if (name !== undefined) return NAMED[name] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity;
  });

/** One line without control characters. */
const cleaned = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim();

const shortened = (text: string, most: number): string => {
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
};
