import { RE2JS, RE2JSException } from 're2js';
import { parseTemplate, type Template } from 'url-template';
import { BadRequest } from '#shared/domain/errors.ts';
import { isSafeLink } from '#shared/markdown/sanitize.ts';
import type { Linkifier } from './linkifier.ts';
import { type FindLinks, type Linker, type TextLink, withoutOverlaps } from './links.ts';

/** The analysis of a pattern. */
export interface Pattern {
  groups: string[];
  /** The size of its program: a pass over a text takes at most this many steps per character. */
  size: number;
  /** Whether the pattern matches any part of a text. */
  isFoundIn(text: string): boolean;
}

/**
 * The budget of all linkifiers for one message: characters visited times program size, per search. It covers
 * one pass of all linkifiers over the longest message, and many searches in an ordinary one.
 */
const MAX_STEPS = 12_000_000;
/** The overhead of starting a search, in characters. */
const STEPS_OF_A_SEARCH = 20;
/** Tracking this many groups costs about as much as the step itself. */
const GROUPS_AS_DEAR_AS_A_STEP = 50;
/** Addresses are stored with the message, and an item is limited to 400 KB. */
const MAX_URL_CHARACTERS = 50_000;

/** Allowed neighbours of a match, which are not part of it. */
const BEFORE = String.raw`(?:^|[\s\x{85}\pZ'"(,:<])`;
const AFTER = String.raw`(?:$|[^\pL\pN])`;

/** @throws BadRequest for an invalid regular expression */
export function readPattern(source: string): Pattern {
  const searcher = new Searcher(source);
  return {
    groups: searcher.groups,
    size: searcher.size,
    isFoundIn: (text) => !matchesIn(text, searcher, { steps: MAX_STEPS }).next().done,
  };
}

/** Prepares linkifiers; earlier ones win over later ones that match the same text. */
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

/** The non-empty matches in a text while the budget lasts. */
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
  /** The position at which the search continues. */
  next: number;
  /** The matches of the named groups; groups that did not participate are absent. */
  groups: Record<string, string>;
}

/** A pattern with its boundary conditions. */
class Searcher {
  readonly #regex: RE2JS;
  readonly groups: string[];
  readonly size: number;
  /** Cost of a pass per character: each step copies the start and end of all groups. */
  readonly cost: number;

  constructor(source: string) {
    try {
      // Compiled alone first: a pattern that closes the surrounding group must be an error.
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

  /** The first match at or after a position; it may be empty. */
  search(text: string, at: number): Match | undefined {
    const matcher = this.#regex.matcher(text);
    if (!matcher.find(at)) return undefined;
    const [from, to] = [matcher.start(1), matcher.end(1)];
    // The character after a match may be the boundary before the next one.
    return { from, to, next: Math.max(to, at + 1), groups: this.#groupsOf(matcher) };
  }

  #groupsOf(matcher: { group(name: string): string | null }): Record<string, string> {
    const values = this.groups.map((name) => [name, matcher.group(name)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== null)) as Record<string, string>;
  }
}
