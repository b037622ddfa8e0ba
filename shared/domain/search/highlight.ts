import { emojiOfTag, isTag, textOfUnit, unitsOfHtml } from '#shared/domain/html-text.ts';
import { fold } from './fold.ts';
import { findRanges, type SearchQuery } from './query.ts';

const OPEN = '<span class="highlight">';
const CLOSE = '</span>';

/**
 * Wraps all matches of the queries in spans. Only text is wrapped: a match across a tag becomes two spans;
 * tags, attributes and entities are unchanged. An emoji is matched by its name and by its character.
 */
export function highlight(html: string, queries: SearchQuery[]): string {
  const units = unitsOfHtml(html);
  const texts = units.map((unit) => fold(textOfUnit(unit)));
  const characters = units.map((_, index) => emojiOfTag(units[index - 1]));
  const covered = coverageOf(texts, queries);
  const coveredAsCharacters = characters.some((character) => character !== undefined)
    ? coverageOf(
        texts.map((text, index) => fold(characters[index] ?? text)),
        queries,
      )
    : covered;
  const marker = new Marker();
  for (const [index, unit] of units.entries())
    marker.add(unit, covered[index] as Uint8Array, coveredAsCharacters[index] as Uint8Array);
  return marker.end();
}

/** For each text, which of its characters a match covers; matches can go across texts. */
function coverageOf(texts: string[], queries: SearchQuery[]): Uint8Array[] {
  const text = texts.join('');
  const covered = new Uint8Array(text.length);
  for (const query of queries) for (const [from, to] of findRanges(query, text)) covered.fill(1, from, to);
  let end = 0;
  return texts.map(({ length }) => {
    const start = end;
    end += length;
    return covered.subarray(start, end);
  });
}

/** Joins the units with spans around the matches. */
class Marker {
  #result = '';
  #isOpen = false;

  /** Adds a unit with its matches; the other ones belong to the text in which emoji are characters. */
  add(html: string, covered: Uint8Array, others: Uint8Array): void {
    // A combining accent vanishes from the folded text but belongs to the match.
    if (covered.length === 0) this.#show(html, this.#isOpen && !isTag(html));
    else if (covered.length !== others.length || html.length !== covered.length)
      this.#show(html, covered.includes(1) || others.includes(1));
    else
      this.#addRun(
        html,
        covered.map((bits, at) => bits | (others[at] ?? 0)),
      );
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
