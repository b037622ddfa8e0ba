import type { Alerts } from '#shared/domain/alert-words/alerts.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type ChannelView, channelsOf, mayRead, subscriptionsIn } from '#shared/domain/messages/access.ts';
import { flagsOf, isTheirs } from '#shared/domain/messages/flags.ts';
import { RecipientSets } from '#shared/domain/messages/mentions.ts';
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
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import type { Tail } from '#shared/store/messages/message-tail.ts';
import { findPositionSince, listMessagesById } from '#shared/store/messages/messages.ts';
import type { Stretch } from '#shared/store/messages/partition-walk.ts';
import { withReactions } from '#shared/store/messages/reactions.ts';
import { loadRecipientSets } from '#shared/store/messages/recipient-sets.ts';
import { withSubmessages } from '#shared/store/messages/submessages.ts';
import { loadMarks, openMarks } from '#shared/store/reading/read-state.ts';
import { loadPreferences } from '#shared/store/topics/preferences.ts';
import { loadAlerts } from '#shared/store/users/alert-words.ts';
import type { Table } from '#shared/table/table.ts';
import { resolveTerms } from './narrow.ts';
import { callersTime, sieveOf } from './search-sieve.ts';
import { type Walk, walkSearch } from './search-walk.ts';

/** A caller's search among the messages that they may read. */
export interface Search {
  table: Table;
  caller: User;
  terms: ResolvedTerm[];
  source: MessageSource;
  /** What to search for and highlight; undefined without search terms. */
  queries: SearchQuery[] | undefined;
  /** The terms to look up in the search index; empty if it cannot help. */
  indexTerms: SearchTerm[];
  /** Includes messages that the caller never received. */
  withHistory: boolean;
  marks: Marks;
  alerts: Alerts;
  recipientSets: RecipientSets;
  /** Loaded if a term needs them. */
  preferences: Preferences;
  /** The messages will be shown, so reactions and submessages are loaded. */
  isShown: boolean;
  views: ChannelViews;
}

export interface FoundMessage {
  message: Message;
  flags: string[];
  /** For text searches: the highlighted message. */
  match?: MatchRecord;
}

export interface Finding {
  /** In walk order. */
  found: FoundMessage[];
  /** The whole stretch was searched. */
  isComplete: boolean;
  /** The last position that was examined. */
  reached: number;
}

/** How many matches are wanted, and further restrictions. */
export interface Wanted {
  count: number;
  maxBytes: number;
  isWanted?: (message: Message, view: ChannelView | undefined) => boolean;
}

/** A larger reply would not pass the gateway; the rest belongs to the next page. */
export const MAX_PAGE_BYTES = 3_000_000;

/**
 * The budget for searches without an index, for instance by sender. A walk that has found something by then
 * stops, and the client requests the next page; one that has found nothing continues up to a limit, because
 * the client would not know where to continue.
 */
const MAX_EXAMINED = 5_000;
const MAX_EXAMINED_IN_VAIN = 50_000;

/** @throws BadNarrow when a term names an unknown user or channel */
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
    recipientSets: new RecipientSets(),
    preferences: asksForPreferences(resolved) ? await loadPreferences(table, caller.userId) : noPreferences,
    isShown: true,
    views,
  };
}

/** The matches among these ids, ascending. @throws BadRequest when they do not fit into a reply */
export async function findByIds(search: Search, messageIds: number[]): Promise<FoundMessage[]> {
  const collector = new Collector(search, { count: messageIds.length, maxBytes: MAX_PAGE_BYTES });
  const messages = await listMessagesById(search.table, messageIds);
  if ((await collector.take(messages)) < messages.length)
    throw new BadRequest(`Too many messages requested (maximum ${MAX_PAGE_BYTES} bytes).`);
  return collector.found;
}

const IDS_AT_ONCE = 10;

/**
 * The matches among these ids in their order, until they have so many bytes, and how many ids were examined: at least
 * one.
 */
export async function findInOrder(
  search: Search,
  messageIds: number[],
  maxBytes: number,
): Promise<{ found: FoundMessage[]; examined: number }> {
  const collector = new Collector(search, { count: messageIds.length, maxBytes });
  for (let at = 0; at < messageIds.length; at += IDS_AT_ONCE) {
    const ids = messageIds.slice(at, at + IDS_AT_ONCE);
    const byId = new Map(
      (await listMessagesById(search.table, ids)).map((message) => [message.messageId, message]),
    );
    const messages = ids.map((id) => byId.get(id)).filter((message) => message !== undefined);
    const looked = await collector.take(messages);
    const next = messages[looked];
    if (next) return { found: collector.found, examined: at + ids.indexOf(next.messageId) };
  }
  return { found: collector.found, examined: messageIds.length };
}

/** Walks a stretch until enough is found. Positions beyond the tail's end are not examined. */
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

/** The part of a stretch that can have matches. */
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

/** Whether pages of the source are contiguous. */
const isOneStretch = ({ source }: Search): boolean =>
  ['topic', 'channel', 'conversation', 'log'].includes(source.kind);

interface Chosen extends FoundMessage {
  index: number;
}

/** Collects matches until there are enough. */
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

  /**
   * Returns how many of the messages were examined. `isStretch` means that they are all messages of the
   * source in a range.
   */
  async take(messages: Message[], isStretch = false): Promise<number> {
    const { table, caller, views, marks, recipientSets, queries } = this.#search;
    const channelIds = messages.flatMap(channelsOf);
    const messageIds = messages.map(({ messageId }) => messageId);
    await Promise.all([
      loadChannelViews(table, caller.userId, views, channelIds),
      loadMarks(table, caller.userId, marks, messageIds),
      loadRecipientSets(table, recipientSets, messages),
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

  /** The matches, as many as are still wanted. */
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
