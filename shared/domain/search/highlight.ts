import { fold } from './fold.ts';
import { isTag, textOfUnit, unitsOfHtml } from './html-text.ts';
import { findRanges, type SearchQuery } from './query.ts';

const OPEN = '<span class="highlight">';
const CLOSE = '</span>';

/**
 * The HTML with everything that the queries ask for in spans. Only text is wrapped: a match that goes on behind a tag
 * becomes two spans, and tags, attributes and entities stay as they are.
 */
export function highlight(html: string, queries: SearchQuery[]): string {
  const units = unitsOfHtml(html);
  const isMarked = markUnits(units, queries);
  let result = '';
  let isOpen = false;
  units.forEach((unit, index) => {
    const opens = isMarked[index] === true;
    if (opens !== isOpen) result += opens ? OPEN : CLOSE;
    isOpen = opens;
    result += unit;
  });
  return isOpen ? result + CLOSE : result;
}

/** For each unit whether it is text that belongs to a match. */
function markUnits(units: string[], queries: SearchQuery[]): boolean[] {
  let text = '';
  /** The unit from which each place of the text comes. */
  const origins: number[] = [];
  const isAccent: boolean[] = [];
  units.forEach((unit, index) => {
    const folded = fold(textOfUnit(unit));
    text += folded;
    for (let place = 0; place < folded.length; place++) origins.push(index);
    isAccent.push(folded === '' && !isTag(unit));
  });
  const isMarked: boolean[] = units.map(() => false);
  const ranges = queries.flatMap((query) => findRanges(query, text)).sort(([a], [b]) => a - b);
  let done = 0;
  for (const [from, to] of ranges) {
    for (const origin of origins.slice(Math.max(from, done), to)) {
      isMarked[origin] = true;
      // Accents that stand apart from their letter vanish in the text, but belong to the match.
      for (let index = origin + 1; isAccent[index]; index++) isMarked[index] = true;
    }
    done = Math.max(done, to);
  }
  return isMarked;
}
