import { FilterXSS } from 'xss';
import { mathElements } from './math-elements.ts';

type AttributeRule = (value: string) => boolean;

const ALIGNED: Record<string, AttributeRule> = {
  style: (value) => /^text-align:(?:left|center|right)$/.test(value),
};

const ANY_TEXT: AttributeRule = () => true;

const matches =
  (pattern: RegExp): AttributeRule =>
  (value) =>
    pattern.test(value);

const SILENT = '(?: silent)?';
const SPAN_CLASS = new RegExp(
  `^(?:user-mention(?: channel-wildcard-mention)?${SILENT}|user-group-mention${SILENT}|topic-mention${SILENT}|emoji emoji-[0-9a-f-]+|tex-error|[a-z][a-z0-9]{0,2})$`,
);

/** The only tags that may leave the server, each with its attributes and the values they may take. */
const ALLOWED: Record<string, Record<string, AttributeRule>> = {
  ...mathElements,
  a: {
    class: matches(/^(?:stream|stream-topic|message-link)$/),
    'data-stream-id': matches(/^\d+$/),
    href: isLink,
    title: ANY_TEXT,
  },
  blockquote: {},
  br: {},
  code: {},
  del: {},
  div: {
    class: matches(/^(?:codehilite|message_inline_image|spoiler-(?:block|header|content))$/),
    'data-code-language': ANY_TEXT,
    'aria-hidden': matches(/^true$/),
  },
  em: {},
  h1: {},
  h2: {},
  h3: {},
  h4: {},
  h5: {},
  h6: {},
  hr: {},
  img: {
    alt: ANY_TEXT,
    class: matches(/^(?:emoji|inline-image)$/),
    'data-original-content-type': matches(/^image\/\w+$/),
    'data-original-dimensions': matches(/^\d+x\d+$/),
    'data-original-src': matches(/^\/user_uploads\/[\w./-]+$/),
    src: matches(/^\/(?:user_avatars|static|user_uploads\/thumbnail)\/[\w./-]+$/),
    title: ANY_TEXT,
  },
  li: {},
  ol: { start: (value) => /^\d{1,9}$/.test(value) },
  p: {},
  pre: {},
  span: {
    ...mathElements.span,
    class: (value) => SPAN_CLASS.test(value) || mathElements.span.class(value),
    'aria-label': ANY_TEXT,
    'data-user-group-id': matches(/^\d+$/),
    'data-user-id': matches(/^(?:\d+|\*)$/),
    role: matches(/^img$/),
    title: ANY_TEXT,
  },
  strong: {},
  table: {},
  tbody: {},
  td: ALIGNED,
  th: ALIGNED,
  thead: {},
  time: { datetime: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
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

/** Tells whether a link is a safe one, or leads to a view or an uploaded file of the service itself. */
export function isLink(url: string): boolean {
  return isSafeLink(url) || /^(?:\/?#narrow\/|\/user_uploads\/)[^\s\\]*$/.test(url);
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
