import { FilterXSS } from 'xss';

type AttributeRule = (value: string) => boolean;

const ALIGNED: Record<string, AttributeRule> = {
  style: (value) => /^text-align:(?:left|center|right)$/.test(value),
};

const ANY_TEXT: AttributeRule = () => true;

/** The only tags that may leave the server, each with its attributes and the values they may take. */
const ALLOWED: Record<string, Record<string, AttributeRule>> = {
  a: { href: isSafeLink, title: ANY_TEXT },
  blockquote: {},
  br: {},
  code: {},
  del: {},
  div: { class: (value) => value === 'codehilite', 'data-code-language': ANY_TEXT },
  em: {},
  h1: {},
  h2: {},
  h3: {},
  h4: {},
  h5: {},
  h6: {},
  hr: {},
  li: {},
  ol: { start: (value) => /^\d{1,9}$/.test(value) },
  p: {},
  pre: {},
  span: {},
  strong: {},
  table: {},
  tbody: {},
  td: ALIGNED,
  th: ALIGNED,
  thead: {},
  tr: {},
  ul: {},
};

const filter = new FilterXSS({
  whiteList: Object.fromEntries(
    Object.entries(ALLOWED).map(([tag, attributes]) => [tag, Object.keys(attributes)]),
  ),
  stripIgnoreTag: true,
  stripIgnoreTagBody: ['script', 'style'],
  css: false,
  onTagAttr: keepAttribute,
});

/**
 * Tells whether a link leads to the web or to a mailbox. The scheme has to stand there literally,
 * so neither entities nor white space can hide another one, and a host has to follow it.
 */
export function isSafeLink(url: string): boolean {
  return /^(?:https?:\/\/[^\s/\\?#]|mailto:[^\s/\\])/i.test(url);
}

/** Removes from HTML every tag, attribute and attribute value that the renderer never writes. */
export function sanitizeHtml(html: string): string {
  return filter.process(html);
}

// The library decodes the values it checks and writes them back decoded, so a second pass could
// read what the first one did not. Here a value is checked and kept as written, or dropped whole.
function keepAttribute(tag: string, name: string, value: string): string {
  if (!ALLOWED[tag]?.[name]?.(value)) return '';
  const escaped = value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `${name}="${escaped}"`;
}
