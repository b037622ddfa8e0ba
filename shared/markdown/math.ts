import katex from 'katex';
import type { SetMath } from './known.ts';

/** Longer formulas are no formulas that somebody reads in a message. */
const MAX_FORMULA = 2000;
const MAX_EXPANSIONS = 100;
const MAX_SIZE_EM = 10;

/** Sets a formula. Nothing in it may load anything, or grow without bounds. */
export const setMath: SetMath = (formula, isDisplayed) => {
  if (formula.length > MAX_FORMULA) return undefined;
  try {
    return katex.renderToString(formula, {
      displayMode: isDisplayed,
      trust: false,
      strict: 'ignore',
      maxExpand: MAX_EXPANSIONS,
      maxSize: MAX_SIZE_EM,
    });
  } catch {
    return undefined;
  }
};
