import type { Alerts } from '#shared/domain/alert-words/alerts.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type ChannelView, channelsOf, mayRead, subscriptionsIn } from '#shared/domain/messages/access.ts';
import { flagsOf, isTheirs } from '#shared/domain/messages/flags.ts';
import { Rosters } from '#shared/domain/messages/mentions.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { matches } from '#shared/domain/narrow/matches.ts';
import {
  asksForPreferences,
  asksForReactions,
  chooseSource,
  hasIs,
  includesHistory,
  type MessageSource,
  queriesOf,
} from '#shared/domain/narrow/source.ts';
import { noPreferences, type Preferences, type ResolvedTerm, type Term } from '#shared/domain/narrow/term.ts';
import type { Marks } from '#shared/domain/reading/marks.ts';
import { type MatchRecord, toMatchRecord } from '#shared/domain/search/match-record.ts';
import type { SearchQuery } from '#shared/domain/search/query.ts';
import { type SearchTerm, termsAsked } from '#shared/domain/search/terms.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Table } from '#shared/table/table.ts';
import { loadAlerts } from './alert-words.ts';
import { type ChannelViews, loadChannelViews } from './channel-views.ts';
import type { Tail } from './message-tail.ts';
import { findPositionSince, listMessagesById } from './messages.ts';
import { resolveTerms } from './narrow.ts';
import type { Stretch } from './partition-walk.ts';
import { loadPreferences } from './preferences.ts';
import { withReactions } from './reactions.ts';
import { loadMarks, openMarks } from './read-state.ts';
import { loadRosters } from './rosters.ts';
import { callersTime, sieveOf } from './search-sieve.ts';
import { type Walk, walkSearch } from './search-walk.ts';
import { withSubmessages } from './submessages.ts';

/** One caller's question: which messages match, among those that they may read. */
export interface Search {
  table: Table;
  caller: User;
  terms: ResolvedTerm[];
  source: MessageSource;
  /** What is searched for and highlighted; undefined where no term searches for text. */
  queries: SearchQuery[] | undefined;
  /** By what the search index finds messages; none where it has nothing to tell. */
  indexTerms: SearchTerm[];
  /** Messages that the caller never received are found too. */
  withHistory: boolean;
  marks: Marks;
  alerts: Alerts;
  rosters: Rosters;
  /** Loaded where a term asks for them. */
  preferences: Preferences;
  /** Found messages are to be shown, with what people left beside them. */
  isShown: boolean;
  views: ChannelViews;
}

export interface FoundMessage {
  message: Message;
  flags: string[];
  /** Where text is searched for: the message with it highlighted. */
  match?: MatchRecord;
}

export interface Finding {
  /** In the order of the walk. */
  found: FoundMessage[];
  /** There is nothing more along the stretch. */
  isComplete: boolean;
  /** The last position that was looked at. */
  reached: number;
}

/** How much is wanted of a stretch, and what it may be besides matching. */
export interface Wanted {
  count: number;
  maxBytes: number;
  isWanted?: (message: Message, view: ChannelView | undefined) => boolean;
}

/** A reply of more bytes would not pass; what is left out is for the next page. */
export const MAX_PAGE_BYTES = 3_000_000;

/**
 * So many items are read for what no index holds, a narrow by sender for instance. A walk that has found something
 * by then ends, and the client asks for the next page; one that has found nothing goes on, because the client would
 * not know where to ask next, but not for ever.
 */
const MAX_EXAMINED = 5_000;
const MAX_EXAMINED_IN_VAIN = 50_000;

/** @throws BadNarrow where a term names somebody or something unknown */
export async function openSearch(table: Table, caller: User, terms: Term[]): Promise<Search> {
  const views: ChannelViews = new Map();
  const [resolved, marks, alerts] = await Promise.all([
    resolveTerms(table, caller, terms, views),
    openMarks(table, caller.userId),
    loadAlerts(table, caller),
  ]);
  return {
    table,
    caller,
    terms: resolved,
    source: chooseSource(resolved, caller.userId),
    queries: queriesOf(resolved),
    indexTerms: termsAsked(resolved, caller.userId),
    withHistory: includesHistory(resolved),
    marks,
    alerts,
    rosters: new Rosters(),
    preferences: asksForPreferences(resolved) ? await loadPreferences(table, caller.userId) : noPreferences,
    isShown: true,
    views,
  };
}

/**
 * The messages with these ids that match, ascending.
 * @throws BadRequest when they are more than a reply can hold
 */
export async function findByIds(search: Search, messageIds: number[]): Promise<FoundMessage[]> {
  const collector = new Collector(search, { count: messageIds.length, maxBytes: MAX_PAGE_BYTES });
  const messages = await listMessagesById(search.table, messageIds);
  if ((await collector.take(messages)) < messages.length)
    throw new BadRequest(`Too many messages requested (maximum ${MAX_PAGE_BYTES} bytes).`);
  return collector.found;
}

/** Walks a stretch until enough is found. Positions beyond the tail's end are not looked at. */
export async function findAlong(
  search: Search,
  tail: Tail,
  stretch: Stretch,
  wanted: Wanted,
): Promise<Finding> {
  const collector = new Collector(search, wanted);
  const bounds = await boundsOf(search, tail, stretch);
  const ending = (isComplete: boolean, reached: number): Finding => ({
    found: collector.found,
    isComplete,
    reached,
  });
  let examined = 0;
  let reached = bounds.isBackwards ? bounds.to : bounds.from;
  for await (const page of walkSearch(walkOf(search), tail, bounds, () => collector.missing)) {
    await collector.take(page.messages, isOneStretch(search) && !page.isSparse);
    examined += page.examined;
    reached = page.messages.at(-1)?.messageId ?? page.reached ?? reached;
    if (collector.isFull) return ending(false, reached);
    if (bounds.isBackwards && isBeforeCallersTime(search, page.messages)) return ending(true, reached);
    if (examined >= (collector.found.length > 0 ? MAX_EXAMINED : MAX_EXAMINED_IN_VAIN))
      return ending(false, reached);
  }
  return ending(true, bounds.isBackwards ? bounds.from : bounds.to);
}

const walkOf = (search: Search): Walk => ({
  table: search.table,
  callerId: search.caller.userId,
  source: search.source,
  terms: search.indexTerms,
  sieve: sieveOf(search),
});

/** The part of a stretch in which the search can find anything. */
async function boundsOf(search: Search, tail: Tail, { from, to, isBackwards }: Stretch): Promise<Stretch> {
  const lowest = Math.max(from, hasIs(search.terms, 'unread') ? search.marks.lowestUnread : 1);
  const highest = Math.min(to, tail.end);
  const isWholeLog = search.source.kind === 'log' && !search.withHistory;
  if (isBackwards || !isWholeLog || lowest >= tail.from) return { from: lowest, to: highest, isBackwards };
  const since = await findPositionSince(search.table, callersTime(search), lowest, highest);
  return { from: since, to: highest, isBackwards };
}

const isBeforeCallersTime = (search: Search, messages: Message[]): boolean =>
  !search.withHistory &&
  search.source.kind !== 'starred' &&
  (messages.at(-1)?.atSeconds ?? Number.POSITIVE_INFINITY) < callersTime(search);

/** Whether pages of the source leave nothing out between their messages. */
const isOneStretch = ({ source }: Search): boolean =>
  ['topic', 'channel', 'conversation', 'log'].includes(source.kind);

interface Chosen extends FoundMessage {
  index: number;
}

/** Keeps what matches of the messages it is given, until it has enough. */
class Collector {
  readonly found: FoundMessage[] = [];
  readonly #search: Search;
  readonly #wanted: Wanted;
  #bytes = 0;

  constructor(search: Search, wanted: Wanted) {
    this.#search = search;
    this.#wanted = wanted;
  }

  get missing(): number {
    return this.#wanted.count - this.found.length;
  }

  get isFull(): boolean {
    return this.missing <= 0 || this.#bytes >= this.#wanted.maxBytes;
  }

  /** Says how many of the messages were looked at. They may be all that there are of the source in a stretch. */
  async take(messages: Message[], isStretch = false): Promise<number> {
    const { table, caller, views, marks, rosters, queries } = this.#search;
    const channelIds = messages.flatMap(channelsOf);
    const messageIds = messages.map(({ messageId }) => messageId);
    await Promise.all([
      loadChannelViews(table, caller.userId, views, channelIds),
      loadMarks(table, caller.userId, marks, messageIds),
      loadRosters(table, rosters, messages),
    ]);
    const among = isStretch ? messages : [];
    const decidesByReactions = asksForReactions(this.#search.terms);
    const judged = decidesByReactions ? await withReactions(table, messages, { among }) : messages;
    const { chosen, looked } = this.#choose(judged);
    let shown = chosen.map(({ message }) => message);
    if (this.#search.isShown) {
      if (!decidesByReactions) shown = await withReactions(table, shown, { among });
      shown = await withSubmessages(table, shown, { among });
    }
    for (const [n, message] of shown.entries()) {
      const { index, flags } = chosen[n] as Chosen;
      if (this.isFull) return index;
      const match = queries && toMatchRecord(message, queries);
      this.found.push({ message, flags, ...(match && { match }) });
      this.#bytes += Buffer.byteLength(JSON.stringify([message, match]));
    }
    return looked;
  }

  /** What matches, as much as is missing. */
  #choose(messages: Message[]): { chosen: Chosen[]; looked: number } {
    const chosen: Chosen[] = [];
    for (const [index, message] of messages.entries()) {
      if (chosen.length >= this.missing) return { chosen, looked: index };
      const flags = this.#flagsIfFound(message);
      if (flags) chosen.push({ message, flags, index });
    }
    return { chosen, looked: messages.length };
  }

  #flagsIfFound(message: Message): string[] | undefined {
    const { caller, terms, views, withHistory, marks, preferences } = this.#search;
    const view = message.kind === 'channel' ? views.get(message.channelId) : undefined;
    if (!mayRead(caller, message, view)) return undefined;
    const subscriptions = subscriptionsIn(views);
    if (!withHistory && !isTheirs(caller, message, subscriptions, marks)) return undefined;
    const flags = flagsOf(caller, message, subscriptions, this.#search);
    if (!matches(terms, message, { callerId: caller.userId, flags, view, preferences })) return undefined;
    return (this.#wanted.isWanted?.(message, view) ?? true) ? flags : undefined;
  }
}
