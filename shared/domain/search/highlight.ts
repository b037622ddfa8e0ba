import { isTag, textOfUnit, unitsOfHtml } from '#shared/domain/html-text.ts';
import { fold } from './fold.ts';
import { findRanges, type SearchQuery } from './query.ts';

const OPEN = '<span class="highlight">';
const CLOSE = '</span>';

/** A part of the HTML and its place in the folded text; tags have no text. */
interface Part {
  html: string;
  from: number;
  to: number;
}

/**
 * Wraps all matches of the queries in spans. Only text is wrapped: a match across a tag becomes two spans;
 * tags, attributes and entities are unchanged.
 */
export function highlight(html: string, queries: SearchQuery[]): string {
  let text = '';
  const parts = unitsOfHtml(html).map((unit): Part => {
    const from = text.length;
    text += fold(textOfUnit(unit));
    return { html: unit, from, to: text.length };
  });
  const covered = new Uint8Array(text.length);
  for (const query of queries) for (const [from, to] of findRanges(query, text)) covered.fill(1, from, to);
  const marker = new Marker();
  for (const part of parts) marker.add(part, covered.subarray(part.from, part.to));
  return marker.end();
}

/** Joins the parts with spans around the matches. */
class Marker {
  #result = '';
  #isOpen = false;

  add({ html, from, to }: Part, covered: Uint8Array): void {
    // A combining accent vanishes from the folded text but belongs to the match.
    if (from === to) this.#show(html, this.#isOpen && !isTag(html));
    else if (html.length === to - from) this.#addRun(html, covered);
    else this.#show(html, covered.includes(1));
  }

  end(): string {
    this.#show('', false);
    return this.#result;
  }

  /** Adds plain characters one by one. */
  #addRun(html: string, covered: Uint8Array): void {
    for (let at = 0; at < html.length; ) {
      const isCovered = covered[at] === 1;
      const end = covered.indexOf(isCovered ? 0 : 1, at);
      this.#show(html.slice(at, end < 0 ? undefined : end), isCovered);
      at = end < 0 ? html.length : end;
    }
  }

  #show(html: string, isMarked: boolean): void {
    if (isMarked !== this.#isOpen) this.#result += isMarked ? OPEN : CLOSE;
    this.#isOpen = isMarked;
    this.#result += html;
  }
}
