import { fold } from './fold.ts';
import { isTag, textOfUnit, unitsOfHtml } from './html-text.ts';
import { findRanges, type SearchQuery } from './query.ts';

const OPEN = '<span class="highlight">';
const CLOSE = '</span>';

/** A part of the HTML, and where it stands in the folded text; one without text stands between. */
interface Part {
  html: string;
  from: number;
  to: number;
}

/**
 * The HTML with everything that the queries ask for in spans. Only text is wrapped: a match that goes on behind a tag
 * becomes two spans, and tags, attributes and entities stay as they are.
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

/** Puts parts together again, with spans around what is covered. */
class Marker {
  #result = '';
  #isOpen = false;

  add({ html, from, to }: Part, covered: Uint8Array): void {
    // An accent that stands apart from its letter vanishes in the text, but belongs to the match.
    if (from === to) this.#show(html, this.#isOpen && !isTag(html));
    else if (html.length === to - from) this.#addRun(html, covered);
    else this.#show(html, covered.includes(1));
  }

  end(): string {
    this.#show('', false);
    return this.#result;
  }

  /** Characters that stand in the text one by one. */
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
