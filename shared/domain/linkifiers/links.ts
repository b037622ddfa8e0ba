import { isSafeLink } from '#shared/markdown/sanitize.ts';

/** A part of a text that leads somewhere. */
export interface TextLink {
  from: number;
  to: number;
  url: string;
}

/** Finds what of a text becomes a link: ascending, without overlaps. */
export type FindLinks = (text: string) => TextLink[];

/** A link of a topic in the form in which clients get it. */
export interface TopicLink {
  text: string;
  url: string;
}

/** What the organization makes links of, ready to be applied. */
export interface Linker {
  /** A finder for one text and its parts: what it may do altogether is bounded. */
  open(): FindLinks;
}

/** Where nothing was defined. */
export const noLinker: Linker = { open: () => () => [] };

/** The characters between which an address in a topic stands. */
const PIECE = /[^\s!;(),'"<>]+/g;

/** What a topic leads to: what the organization made links of, and web addresses that stand there. */
export function linksOfTopic(topic: string, linker: Linker): TopicLink[] {
  const defined = linker.open()(topic);
  const written = [...topic.matchAll(PIECE)]
    .filter(([piece]) => /^https?:/i.test(piece) && isSafeLink(piece))
    .map(({ 0: url, index: from }) => ({ from, to: from + url.length, url }));
  return withoutOverlaps([...defined, ...written]).map(({ from, to, url }) => ({
    text: topic.slice(from, to),
    url,
  }));
}

/** Of links that overlap the first of the list is kept; the result is in the order of the text. */
export function withoutOverlaps(links: TextLink[]): TextLink[] {
  const taken: boolean[] = [];
  const kept = links.filter(({ from, to }) => {
    for (let index = from; index < to; index++) if (taken[index]) return false;
    for (let index = from; index < to; index++) taken[index] = true;
    return true;
  });
  return kept.sort((a, b) => a.from - b.from);
}
