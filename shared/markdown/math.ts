import katex from 'katex';

import type { SetMath } from './known.ts';

/** The maximum length of a formula. */
const MAX_FORMULA = 2000;
const MAX_EXPANSIONS = 100;
const MAX_SIZE_EM = 10;

/** Commands that define macros or are meant for the library's own macros. */
const DEFINES =
  /\\(?:(?:[gex]?def|(?:future)?let|global|long|(?:re)?newcommand|providecommand)(?![A-Za-z@])|[A-Za-z]*@)/;
/**
 * Nested macros can repeat their parameters exponentially: 60 of 1 900 characters would produce a gigabyte.
 */
const PARAMETER = /^(?:[^\\#]|\\.)*#/s;
/** A macro without parameters is at most as long as its formula, which limits the total number of tokens. */
const MAX_MACRO_TOKENS = 4000;

/** Renders a formula. Nothing in it can load anything or grow without bounds. */
export const setMath: SetMath = (formula, isDisplayed) => {
  const defines = DEFINES.test(formula);
  if (formula.length > MAX_FORMULA || (defines && PARAMETER.test(formula))) return undefined;
  try {
    return katex.renderToString(formula, {
      displayMode: isDisplayed,
      trust: false,
      strict: 'ignore',
      maxExpand: defines ? Math.min(MAX_EXPANSIONS, MAX_MACRO_TOKENS / formula.length) : MAX_EXPANSIONS,
      maxSize: MAX_SIZE_EM,
    });
  } catch {
    return undefined;
  }
};
