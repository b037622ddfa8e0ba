import type { AttributeRule, Elements } from './sanitize.ts';

const word: AttributeRule = (value) => /^[\w.#%+ -]{0,100}$/.test(value);
const path: AttributeRule = (value) => /^[\d\sA-Za-z.,-]*$/.test(value);
const namespace: AttributeRule = (value) =>
  value === 'http://www.w3.org/1998/Math/MathML' || value === 'http://www.w3.org/2000/svg';

/** Lengths, colours and keywords only: nothing that loads anything or moves outside of the formula. */
const DECLARATION =
  /^(?:height|width|min-width|top|left|bottom|vertical-align|margin|(?:margin|padding)-(?:left|right|top|bottom)|border(?:-(?:top|bottom|right|left))?(?:-(?:width|style|color))?|color|background-color|text-shadow):[-\w.#% ]{1,60}$|^position:relative$/;
const style: AttributeRule = (value) =>
  value.split(';').every((part) => part.trim() === '' || DECLARATION.test(part.trim()));

const words = (...names: string[]): Elements[string] => Object.fromEntries(names.map((name) => [name, word]));

const CLASSES = /^(?:katex|katex-(?:display|mathml|html)|[\w-]{1,30}(?: +[\w-]{1,30}){0,9})$/;

/** The elements of formulas: MathML for programs, and positioned spans for display. */
export const mathElements: Elements = {
  math: { xmlns: namespace, display: word },
  semantics: {},
  annotation: { encoding: (value) => value === 'application/x-tex' },
  menclose: words('notation'),
  merror: {},
  mfrac: words('linethickness'),
  mi: words('mathvariant'),
  mn: words('mathvariant'),
  mo: words(
    ...['accent', 'fence', 'form', 'largeop', 'linebreak', 'lspace', 'mathvariant', 'maxsize', 'minsize'],
    ...['movablelimits', 'rspace', 'separator', 'stretchy', 'symmetric'],
  ),
  mover: words('accent'),
  mpadded: { ...words('width', 'height', 'depth', 'lspace', 'voffset', 'mathbackground'), style },
  mphantom: {},
  mroot: {},
  mrow: {},
  mspace: words('width', 'height', 'depth', 'linebreak', 'mathbackground'),
  msqrt: {},
  mstyle: words('displaystyle', 'scriptlevel', 'mathcolor', 'mathbackground', 'mathsize', 'mathvariant'),
  msub: {},
  msubsup: {},
  msup: {},
  mtable: words('columnalign', 'columnlines', 'columnspacing', 'rowlines', 'rowspacing', 'width', 'side'),
  mtd: words('class', 'style', 'width'),
  mtext: words('mathvariant'),
  mtr: words('class'),
  munder: words('accentunder'),
  munderover: {},
  svg: { xmlns: namespace, ...words('width', 'height', 'viewbox', 'preserveaspectratio'), style },
  path: { d: path },
  line: words('x1', 'y1', 'x2', 'y2', 'stroke-width'),
  span: { class: (value) => CLASSES.test(value), style, 'aria-hidden': (value) => value === 'true' },
};
