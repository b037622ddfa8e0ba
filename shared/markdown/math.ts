import katex from 'katex';

import type { SetMath } from './known.ts';

/** Longer formulas are not read in messages. */
const MAX_FORMULA = 2000;
const MAX_EXPANSIONS = 100;
const MAX_SIZE_EM = 10;

/** Commands that define macros, and what only macros of the library itself are for. */
const DEFINES =
  /\\(?:(?:[gex]?def|(?:future)?let|global|long|(?:re)?newcommand|providecommand)(?![A-Za-z@])|[A-Za-z]*@)/;
/**
 * A macro repeats a parameter as often as it likes, and what another macro made of it again: of 1 900 characters 60 would
 * make a gigabyte.
 */
const PARAMETER = /^(?:[^\\#]|\\.)*#/s;
/** A macro without parameters is at most as long as its formula, so that all of them become at most so many tokens. */
const MAX_MACRO_TOKENS = 4000;

/** Sets a formula. Nothing in it may load anything, or grow without bounds. */
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
