import { isSafeLink } from '#shared/markdown/sanitize.ts';

/** A part of a text that is a link. */
export interface TextLink {
  from: number;
  to: number;
  url: string;
}

/** Finds the links of a text: ascending, without overlaps. */
export type FindLinks = (text: string) => TextLink[];

/** A link of a topic, as sent to clients. */
export interface TopicLink {
  text: string;
  url: string;
}

/** The organization's linkifiers, ready for use. */
export interface Linker {
  /** Opens a finder for one text and its parts, which share one budget. */
  open(): FindLinks;
}

/** No linkifiers are defined. */
export const noLinker: Linker = { open: () => () => [] };

/** Separates candidate addresses in a topic. */
const PIECE = /[^\s!;(),'"<>]+/g;

/** The links of a topic: those of linkifiers, and web addresses. */
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

/** Among overlapping links the first of the list wins; the result is in text order. */
export function withoutOverlaps(links: TextLink[]): TextLink[] {
  const taken: boolean[] = [];
  const kept = links.filter(({ from, to }) => {
    for (let index = from; index < to; index++) if (taken[index]) return false;
    for (let index = from; index < to; index++) taken[index] = true;
    return true;
  });
  return kept.sort((a, b) => a.from - b.from);
}
