import hljs from 'highlight.js/lib/common';
import { highlightPieces } from './code-pieces.ts';
import type { Highlight } from './known.ts';

/**
 * The class names that clients colour, by scope of the library; for `a.b` the longest known prefix applies.
 */
const CLASSES: Record<string, string> = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  bullet: 'p',
  'char.escape': 'se',
  char: 'sc',
  code: 'sb',
  comment: 'c1',
  deletion: 'gd',
  doctag: 'cp',
  emphasis: 'ge',
  formula: 'm',
  keyword: 'k',
  link: 'nl',
  literal: 'kc',
  meta: 'cp',
  name: 'nt',
  number: 'm',
  operator: 'o',
  params: 'n',
  property: 'n',
  punctuation: 'p',
  quote: 'c1',
  regexp: 'sr',
  section: 'gh',
  'selector-attr': 'na',
  'selector-class': 'nc',
  'selector-id': 'nn',
  'selector-pseudo': 'nd',
  'selector-tag': 'nt',
  string: 's',
  strong: 'gs',
  subst: 'si',
  symbol: 'ss',
  tag: 'nt',
  'template-tag': 'cp',
  'template-variable': 'nv',
  title: 'nf',
  'title.class': 'nc',
  'title.function': 'nf',
  type: 'kt',
  variable: 'nv',
  'variable.language': 'bp',
};

/** Languages whose display name differs between the library and clients. */
const NAMES: Record<string, string> = { 'HTML, XML': 'HTML', 'Python REPL': 'Python console session' };

/** Highlights code with the class names of clients. Undefined for an unknown language. */
export const highlight: Highlight = (code, language) => {
  const known = hljs.getLanguage(language);
  const marked = highlightPieces(code, language);
  if (!known || marked === undefined) return undefined;
  const name = NAMES[known.name ?? ''] ?? known.name ?? language;
  return { name, html: flatten(marked) };
};

const MARKUP = /<span class="([^"]*)">|<\/span>|[^<]+/g;

/**
 * Flattens nested spans: clients ignore spans inside spans, and do not show blocks with a span without a
 * class. The innermost span with a class wins.
 */
function flatten(marked: string): string {
  const classes: string[] = [''];
  let html = '';
  let open = '';
  for (const [text, scope] of marked.matchAll(MARKUP)) {
    if (scope !== undefined) classes.push(classOf(scope) ?? classes.at(-1) ?? '');
    else if (text === '</span>') classes.pop();
    else {
      const wanted = classes.at(-1) ?? '';
      if (wanted !== open) html += `${open && '</span>'}${wanted && `<span class="${wanted}">`}`;
      open = wanted;
      html += text;
    }
  }
  return `${html}${open && '</span>'}`;
}

/**
 * The library writes a scope `title.class` as `hljs-title class_`, and the language within as `language-css`.
 */
function classOf(classes: string): string | undefined {
  const [first = '', second] = classes.split(' ');
  const scope = first.replace(/^hljs-/, '');
  return CLASSES[`${scope}.${second?.replace(/_+$/, '')}`] ?? CLASSES[scope];
}
