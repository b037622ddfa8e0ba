/**
 * Stands in for `cssfilter` in a function's bundle. `xss` makes a filter when it is loaded but asks it nothing:
 * our sanitizer decides every attribute itself (`css: false` and `onTagAttr`).
 */
export class FilterCSS {
  process(): never {
    throw new Error('The bundle contains no CSS filter');
  }
}

export const getDefaultWhiteList = () => ({});
