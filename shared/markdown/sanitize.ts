import { FilterXSS } from 'xss';

export type AttributeRule = (value: string) => boolean;
/** Allowed elements with their attributes and the allowed values of these. */
export type Elements = Record<string, Record<string, AttributeRule>>;

const ALIGNED: Record<string, AttributeRule> = {
  style: (value) => /^text-align: (?:left|center|right);$/.test(value),
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

/** The only tags that the server sends; formulas add their own. */
const ALLOWED: Elements = {
  a: {
    class: matches(/^(?:stream|stream-topic|message-link)$/),
    'data-stream-id': matches(/^\d+$/),
    href: isLink,
    title: ANY_TEXT,
  },
  audio: { controls: matches(/^$/), preload: matches(/^metadata$/), src: isUpload, title: ANY_TEXT },
  blockquote: {},
  br: {},
  code: {},
  del: {},
  div: {
    class: matches(
      /^(?:codehilite|message_inline_image(?: message_inline_video)?|spoiler-(?:block|header|content))$/,
    ),
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
    'data-original-src': isUpload,
    src: matches(/^\/(?:user_avatars|static|user_uploads\/thumbnail)\/[\w./-]+$/),
    title: ANY_TEXT,
  },
  li: {},
  ol: { start: (value) => /^\d{1,9}$/.test(value) },
  p: {},
  pre: {},
  span: {
    class: matches(SPAN_CLASS),
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
  video: { preload: matches(/^metadata$/), src: isUpload },
};

const filterOf = (allowed: Elements): FilterXSS =>
  new FilterXSS({
    whiteList: Object.fromEntries(
      Object.entries(allowed).map(([tag, attributes]) => [tag, Object.keys(attributes)]),
    ),
    stripIgnoreTag: true,
    stripIgnoreTagBody: ['script', 'style'],
    css: false,
    onTagAttr: (tag, name, value) => (allowed[tag]?.[name]?.(value) ? keepAttribute(name, value) : ''),
  });

const filter = filterOf(ALLOWED);
const filters = new WeakMap<Elements, FilterXSS>();

/**
 * Whether a link leads to the web or to a mail address. The scheme must appear literally, so that neither
 * entities nor white space can hide another one, and a host must follow.
 */
export function isSafeLink(url: string): boolean {
  return /^(?:https?:\/\/[^\s/\\?#]|mailto:[^\s/\\])/i.test(url);
}

/** Whether a link is safe, or leads to a view or a path of the service. Two slashes would lead to another host. */
export function isLink(url: string): boolean {
  return isSafeLink(url) || /^(?:#narrow\/|\/(?!\/|%5c))[^\s\\]*$/i.test(url);
}

/** Whether an address belongs to an uploaded file of the service. */
function isUpload(address: string): boolean {
  return /^\/user_uploads\/[\w./-]+$/.test(address);
}

/**
 * Removes all tags, attributes and values that the renderer never writes; `more` are additionally allowed.
 */
export function sanitizeHtml(html: string, more?: Elements): string {
  if (!more) return filter.process(html);
  const wider = filters.get(more) ?? filterOf(together(ALLOWED, more));
  filters.set(more, wider);
  return wider.process(html);
}

/** The union of two lists of allowed elements. */
function together(elements: Elements, other: Elements): Elements {
  const all: Elements = { ...elements };
  for (const [tag, attributes] of Object.entries(other)) {
    const known = elements[tag] ?? {};
    const rules = Object.entries(attributes).map(([name, rule]): [string, AttributeRule] => [
      name,
      (value) => rule(value) || known[name]?.(value) === true,
    ]);
    all[tag] = { ...known, ...Object.fromEntries(rules) };
  }
  return all;
}

// The library decodes values for its checks and writes them decoded, so a second pass could find markup that the
// first one did not. Here a value is kept exactly as written or dropped.
function keepAttribute(name: string, value: string): string {
  if (name === 'controls') return name;
  const escaped = value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `${name}="${escaped}"`;
}
