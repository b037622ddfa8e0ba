import hljs from 'highlight.js/lib/common';
import type { Highlight } from './known.ts';

/** Longer blocks stay plain: some grammars look far ahead. */
const MAX_CODE = 10_000;

/** The classes by which clients colour code, for the scopes of the library; of `a.b` the longest known part counts. */
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

/** Where the library calls a language otherwise than clients do. */
const NAMES: Record<string, string> = { 'HTML, XML': 'HTML', 'Python REPL': 'Python console session' };

/** Colours code with the classes that clients know. Nothing for an unknown language. */
export const highlight: Highlight = (code, language) => {
  const known = hljs.getLanguage(language);
  if (!known) return undefined;
  const name = NAMES[known.name ?? ''] ?? known.name ?? language;
  if (code.length > MAX_CODE) return { name, html: escapeHtml(code) };
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  return { name, html: value.replace(/<span class="([^"]*)">/g, (_tag, scope: string) => openSpan(scope)) };
};

/** The library writes a scope `title.class` as `hljs-title class_`, and the language within as `language-css`. */
function openSpan(classes: string): string {
  const [first = '', second] = classes.split(' ');
  const scope = first.replace(/^hljs-/, '');
  const found = CLASSES[`${scope}.${second?.replace(/_+$/, '')}`] ?? CLASSES[scope];
  return found === undefined ? '<span>' : `<span class="${found}">`;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
