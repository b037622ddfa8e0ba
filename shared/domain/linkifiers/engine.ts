import { RE2JS, RE2JSException } from 're2js';
import { parseTemplate, type Template } from 'url-template';
import { BadRequest } from '#shared/domain/errors.ts';
import { isSafeLink } from '#shared/markdown/sanitize.ts';
import type { Linkifier } from './linkifier.ts';
import { type FindLinks, type Linker, type TextLink, withoutOverlaps } from './links.ts';

/** What is known of a pattern once it was read. */
export interface Pattern {
  groups: string[];
  /** How large its program is: a pass over a text takes at most so many steps for each character. */
  size: number;
  /** Whether some part of a text would become a link. */
  isFoundIn(text: string): boolean;
}

/**
 * What all linkifiers may do to one message: characters looked at times the size of the program, for each search. It
 * is one pass of all of them over the longest message, and many searches in one of an ordinary length.
 */
const MAX_STEPS = 12_000_000;
/** Starting a search costs about as much as so many characters. */
const STEPS_OF_A_SEARCH = 20;
/** To carry so many groups along costs about as much as the step itself. */
const GROUPS_AS_DEAR_AS_A_STEP = 50;
/** Addresses stand in the message, and an item of the table ends at 400 KB. */
const MAX_URL_CHARACTERS = 50_000;

/** What may stand before and after a match, neither of which belongs to it. */
const BEFORE = String.raw`(?:^|[\s\x{85}\pZ'"(,:<])`;
const AFTER = String.raw`(?:$|[^\pL\pN])`;

/** @throws BadRequest for a pattern that is no regular expression */
export function readPattern(source: string): Pattern {
  const searcher = new Searcher(source);
  return {
    groups: searcher.groups,
    size: searcher.size,
    isFoundIn: (text) => !matchesIn(text, searcher, { steps: MAX_STEPS }).next().done,
  };
}

/** Makes linkifiers ready to be applied; those that come first go before others that match the same text. */
export function compileLinkifiers(linkifiers: Linkifier[]): Linker {
  const compiled = linkifiers.map(({ pattern, urlTemplate }) => ({
    searcher: new Searcher(pattern),
    template: parseTemplate(urlTemplate),
  }));
  return { open: () => openFinder(compiled) };
}

interface Compiled {
  searcher: Searcher;
  template: Template;
}

function openFinder(compiled: Compiled[]): FindLinks {
  const left = { steps: MAX_STEPS, urlCharacters: MAX_URL_CHARACTERS };
  return (text) => {
    const links: TextLink[] = [];
    for (const { searcher, template } of compiled) {
      for (const { from, to, groups } of matchesIn(text, searcher, left)) {
        const url = template.expand(groups);
        left.urlCharacters -= url.length;
        if (left.urlCharacters >= 0 && isSafeLink(url)) links.push({ from, to, url });
      }
    }
    return withoutOverlaps(links);
  };
}

/** The matches in a text that are not empty, as long as steps are left. */
function* matchesIn(text: string, searcher: Searcher, left: { steps: number }): Generator<Match> {
  for (let at = 0; at < text.length; ) {
    left.steps -= (text.length - at + STEPS_OF_A_SEARCH) * searcher.cost;
    const match = left.steps < 0 ? undefined : searcher.search(text, at);
    if (!match) return;
    at = match.next;
    if (match.from < match.to) yield match;
  }
}

interface Match {
  from: number;
  to: number;
  /** Where the next match may begin. */
  next: number;
  /** What the named groups matched; those that took no part are left out. */
  groups: Record<string, string>;
}

/** A pattern between its boundaries. */
class Searcher {
  readonly #regex: RE2JS;
  readonly groups: string[];
  readonly size: number;
  /** What a pass takes for each character: with each step goes where all groups began and ended. */
  readonly cost: number;

  constructor(source: string) {
    try {
      // By itself first: what would end the group around it is an error.
      RE2JS.compile(source);
      this.#regex = RE2JS.compile(`${BEFORE}(${source})${AFTER}`);
    } catch (failure) {
      if (!(failure instanceof RE2JSException)) throw failure;
      const reason = failure.message.replace(/^error parsing regexp: /, '');
      throw new BadRequest(`Bad regular expression: ${reason}`);
    }
    this.groups = Object.keys(this.#regex.namedGroups());
    this.size = this.#regex.programSize();
    this.cost = this.size * (1 + this.#regex.groupCount() / GROUPS_AS_DEAR_AS_A_STEP);
  }

  /** The first match from a place on, which may be empty. */
  search(text: string, at: number): Match | undefined {
    const matcher = this.#regex.matcher(text);
    if (!matcher.find(at)) return undefined;
    const [from, to] = [matcher.start(1), matcher.end(1)];
    // What stands behind a match may stand before the next one.
    return { from, to, next: Math.max(to, at + 1), groups: this.#groupsOf(matcher) };
  }

  #groupsOf(matcher: { group(name: string): string | null }): Record<string, string> {
    const values = this.groups.map((name) => [name, matcher.group(name)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== null)) as Record<string, string>;
  }
}
