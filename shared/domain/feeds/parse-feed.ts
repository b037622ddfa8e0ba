import { Parser } from 'htmlparser2';

/** An entry of a feed. All texts are as the feed has them, cut to a length. */
export interface FeedEntry {
  /** Identifies the entry within its feed. */
  id: string;
  title: string;
  /** Absolute, or empty. */
  link: string;
  /** HTML or text. */
  summary: string;
  /** Milliseconds since 1970, if the entry has a date. */
  publishedMs: number | undefined;
}

export interface ParsedFeed {
  title: string;
  /** The newest first. */
  entries: FeedEntry[];
}

/** Entries beyond these are not read. */
const MAX_ENTRIES = 1_000;
/** Of the entries that were read, the newest that may be posted. */
const NEWEST_ENTRIES = 100;
const MAX_TEXT = 20_000;
/** The parser takes long for deeply nested elements; feeds have few. */
const MAX_DEPTH = 100;
/** Between pieces of this many characters the reader may stop. */
const PIECE = 4_096;

const ROOTS = ['rss', 'feed', 'rdf:rdf'];
const ENTRIES = ['item', 'entry'];

type Field = 'title' | 'link' | 'guid' | 'summary' | 'content' | 'published' | 'updated';

/** The elements of entries in RSS 2.0, RSS 1.0 and Atom. Elements of other namespaces have a prefix. */
const FIELDS: Record<string, Field> = {
  title: 'title',
  link: 'link',
  guid: 'guid',
  id: 'guid',
  description: 'summary',
  summary: 'summary',
  'content:encoded': 'content',
  content: 'content',
  pubdate: 'published',
  published: 'published',
  'dc:date': 'published',
  updated: 'updated',
};

type Fields = Partial<Record<Field, string>>;

/**
 * Reads RSS 2.0, RSS 1.0 and Atom in one pass; undefined for other documents. Only the entities of XML and HTML are
 * decoded: declarations of a document are ignored.
 */
export function parseFeed(text: string, baseUrl: string): ParsedFeed | undefined {
  const reader = new FeedReader();
  const parser = new Parser(reader, { xmlMode: true, decodeEntities: true });
  for (let at = 0; at < text.length && !reader.isDone; at += PIECE) parser.write(text.slice(at, at + PIECE));
  if (!reader.isDone) parser.end();
  if (!reader.isFeed) return undefined;
  const entries = reader.entries.map((fields) => toEntry(fields, baseUrl)).filter(({ id }) => id !== '');
  return { title: flat(reader.title), entries: newestFirst(entries).slice(0, NEWEST_ENTRIES) };
}

class FeedReader {
  isFeed = false;
  title = '';
  readonly entries: Fields[] = [];
  #depth = 0;
  #entry: Fields | undefined;
  /** The depth of the entry, or of the element that holds the title of the feed. */
  #holderDepth = 0;
  #field: Field | 'feedTitle' | undefined;

  /** Whether the rest of the document means nothing. */
  get isDone(): boolean {
    return this.#depth > MAX_DEPTH || this.entries.length === MAX_ENTRIES || this.#isOther;
  }

  get #isOther(): boolean {
    return this.#depth > 0 && !this.isFeed;
  }

  onopentag(input: string, attributes: Record<string, string>): void {
    const name = nameOf(input);
    this.#depth++;
    if (this.#depth === 1) this.isFeed = ROOTS.includes(name);
    if (!this.isFeed) return;
    if (this.#entry) this.#openInEntry(name, attributes);
    else if (ENTRIES.includes(name) && this.entries.length < MAX_ENTRIES) {
      this.#entry = {};
      this.#holderDepth = this.#depth;
    } else if (name === 'channel' || name === 'feed') this.#holderDepth = this.#depth;
    else if (name === 'title' && this.#depth === this.#holderDepth + 1 && this.title === '')
      this.#field = 'feedTitle';
  }

  #openInEntry(name: string, { href = '', rel = 'alternate' }: Record<string, string>): void {
    // Markup within a text adds to the text.
    if (!this.#entry || this.#depth !== this.#holderDepth + 1) return;
    this.#field = FIELDS[name];
    if (name === 'link' && href !== '' && rel === 'alternate') this.#entry.link ??= href.slice(0, MAX_TEXT);
  }

  ontext(text: string): void {
    if (this.#field === 'feedTitle') this.title = added(this.title, text);
    else if (this.#field && this.#entry)
      this.#entry[this.#field] = added(this.#entry[this.#field] ?? '', text);
  }

  onclosetag(input: string): void {
    const name = nameOf(input);
    if (this.#depth === this.#holderDepth + 1) this.#field = undefined;
    if (this.#entry && this.#depth === this.#holderDepth && ENTRIES.includes(name)) {
      this.entries.push(this.#entry);
      this.#entry = undefined;
      this.#holderDepth = this.#depth - 1;
    }
    this.#depth--;
  }
}

/** Some feeds give their own namespace a prefix. */
const nameOf = (input: string): string => input.toLowerCase().replace(/^(?:atom|rss):/, '');

const added = (text: string, more: string): string =>
  text.length < MAX_TEXT ? (text + more).slice(0, MAX_TEXT) : text;

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function toEntry(fields: Fields, baseUrl: string): FeedEntry {
  const { title = '', guid = '', link = '', summary, content, published, updated } = fields;
  const address = link.trim() || (/^https?:/i.test(guid.trim()) ? guid.trim() : '');
  const publishedMs = Date.parse((published ?? updated ?? '').trim());
  const text = summary ?? content ?? '';
  return {
    id: guid.trim() || address || flat(`${title} ${text}`),
    title: flat(title),
    link: address === '' ? '' : (URL.parse(address, baseUrl)?.href ?? ''),
    summary: text,
    publishedMs: Number.isNaN(publishedMs) ? undefined : publishedMs,
  };
}

/** By date if all entries have one; otherwise feeds have their newest entry first. */
function newestFirst(entries: FeedEntry[]): FeedEntry[] {
  if (entries.some(({ publishedMs }) => publishedMs === undefined)) return entries;
  return entries.toSorted((entry, other) => (other.publishedMs ?? 0) - (entry.publishedMs ?? 0));
}
