import { findAddresses } from '#shared/markdown/addresses.ts';

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

/** The links of a topic: links of linkifiers, and the addresses written in it. */
export function linksOfTopic(topic: string, linker: Linker): TopicLink[] {
  const defined = linker.open()(topic);
  // Every address has one of these, and most topics have none.
  const addresses = /[.:]/.test(topic) ? findAddresses(topic) : [];
  const written = addresses.map(({ from, to, url, schema }) => ({
    from,
    to,
    url: schema === '' ? `https://${topic.slice(from, to)}` : url,
  }));
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
