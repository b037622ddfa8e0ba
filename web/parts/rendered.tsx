import { useLayoutEffect, useRef } from 'preact/hooks';
import { bringUpToDate, enliven, surroundings } from './enliven.ts';

/**
 * The one place where HTML of the service becomes a part of the page. The HTML is parsed in a document without scripts,
 * and only the kinds of markup that the service writes are rebuilt from it, each element and attribute.
 */
interface Policy {
  createHTML: (html: string) => string;
}
declare global {
  interface Window {
    trustedTypes?: { createPolicy: (name: string, rules: Policy) => Policy };
  }
}
const policy: Policy = window.trustedTypes?.createPolicy('rendered-message', {
  createHTML: (html) => html,
}) ?? { createHTML: (html) => html };

const TAGS = new Set(
  `a audio blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img li ol p pre span strong table tbody thead tr td th time ul video
  math semantics annotation mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot munder mover munderover mtable
  mtr mtd mstyle mpadded mphantom menclose svg path line`
    .trim()
    .split(/\s+/),
);
const MATHML = 'http://www.w3.org/1998/Math/MathML';
const SVG = 'http://www.w3.org/2000/svg';
const ATTRIBUTES = new Set(
  `alt aria-hidden aria-label class controls data-animated data-code-language data-id data-original-content-type data-original-dimensions data-original-src
  data-stream-id data-user-group-id data-user-id datetime href preload role src start title`
    .trim()
    .split(/\s+/),
);
const FORMULA_ATTRIBUTES = new Set(
  `xmlns display mathvariant stretchy fence separator lspace rspace accent accentunder width height depth voffset minsize
  maxsize columnalign rowspacing columnspacing columnlines rowlines linethickness notation scriptlevel displaystyle encoding
  viewBox preserveAspectRatio d x1 x2 y1 y2 stroke stroke-width`
    .trim()
    .split(/\s+/),
);
/** Under this name styles of formulas and table cells are read. */
const STYLE = 'data-style';
const SAFE_LINK = /^(https?:|mailto:|#|\/(?!\/))/i;

/** Whether an attribute is one that the service writes, and a link does not run code. */
function isAllowed(name: string, value: string, isFormula: boolean): boolean {
  if (name === 'href' || name === 'src') return SAFE_LINK.test(value);
  return ATTRIBUTES.has(name) || (isFormula && FORMULA_ATTRIBUTES.has(name));
}

function rebuild(source: Element): Element | undefined {
  const tag = source.localName;
  if (!TAGS.has(tag)) return undefined;
  const isFormula = source.namespaceURI === MATHML || source.namespaceURI === SVG;
  const made = isFormula ? document.createElementNS(source.namespaceURI, tag) : document.createElement(tag);
  for (const { name, value } of source.attributes) {
    if (isAllowed(name, value, isFormula)) made.setAttribute(name, value);
  }
  const style = source.getAttribute(STYLE);
  if (style !== null && 'style' in made) (made as HTMLElement).style.cssText = style;
  appendChildren(source, made);
  return made;
}

function appendChildren(source: Node, target: Node): void {
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) target.appendChild(document.createTextNode(child.nodeValue ?? ''));
    else if (child instanceof Element) {
      const made = rebuild(child);
      if (made) target.appendChild(made);
      else appendChildren(child, target);
    }
  }
}

/** A tag as the service writes it: texts between tags hold no `<`, and values no `"`. */
const TAG = /<[a-z][a-z0-9]*(?:\s+[^\s"'>=/]+(?:="[^"]*")?)*\s*\/?>/gi;

/**
 * The policy of the page forbids style attributes, also in a document that is never shown. So they are read under another
 * name, and set through the object model.
 */
const renameStyles = (html: string): string =>
  html.includes(' style="') ? html.replace(TAG, (tag) => tag.replace(' style="', ` ${STYLE}="`)) : html;

/** The nodes of a rendered text, safe and alive. */
function nodesOf(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  appendChildren(parsedHtml(html), fragment);
  enliven(fragment);
  return fragment;
}

/** HTML in a document of its own, to be read and not to be shown. */
export const parsedHtml = (html: string): HTMLElement =>
  new DOMParser().parseFromString(policy.createHTML(renameStyles(html)), 'text/html').body;

/** A text that the service rendered. */
export function Rendered({ html, class: extra = '' }: { html: string; class?: string }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.current?.replaceChildren(nodesOf(html));
  }, [html]);
  useLayoutEffect(() => {
    if (element.current) bringUpToDate(element.current);
  }, [html, ...surroundings()]);
  return <div class={`rendered ${extra}`} dir="auto" ref={element} />;
}
