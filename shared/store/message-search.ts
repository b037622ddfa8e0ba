import { type ChannelView, flagsOf, hasReceived, isUnread, mayRead } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { matches } from '#shared/domain/narrow/matches.ts';
import {
  chooseSource,
  hasIs,
  includesHistory,
  isInSource,
  type MessageSource,
} from '#shared/domain/narrow/source.ts';
import type { ResolvedTerm, Term } from '#shared/domain/narrow/term.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Table } from '#shared/table/table.ts';
import { type ChannelViews, loadChannelViews } from './channel-views.ts';
import { readTail, type Tail } from './message-tail.ts';
import { walkSource } from './message-walk.ts';
import { listMessagesById } from './messages.ts';
import { resolveTerms } from './narrow.ts';
import type { Stretch, WalkedPage } from './partition-walk.ts';
import { findReadFloor } from './read-state.ts';

/** One caller's question: which messages match, among those that they may read. */
export interface Search {
  table: Table;
  caller: User;
  terms: ResolvedTerm[];
  source: MessageSource;
  /** Messages that the caller never received are found too. */
  withHistory: boolean;
  readFloor: number;
  views: ChannelViews;
}

export interface FoundMessage {
  message: Message;
  flags: string[];
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
  const [resolved, readFloor] = await Promise.all([
    resolveTerms(table, caller, terms, views),
    findReadFloor(table, caller.userId),
  ]);
  const source = chooseSource(resolved, caller.userId);
  return { table, caller, terms: resolved, source, withHistory: includesHistory(resolved), readFloor, views };
}

/** The newest end of the log as far as a search up to a position needs it. */
export const openTail = (services: Services, upTo: number): Promise<Tail> => readTail(services, upTo);

/** The messages with these ids that the caller may read and that match, ascending. */
export async function findByIds(
  search: Search,
  messageIds: number[],
  maxBytes: number,
): Promise<FoundMessage[]> {
  const messages = await listMessagesById(search.table, messageIds);
  const named = { ...search, withHistory: search.withHistory || search.terms.length === 0 };
  const collector = new Collector(named, { count: messageIds.length, maxBytes });
  await collector.take(messages);
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
  const { isBackwards } = stretch;
  const floor = hasIs(search.terms, 'unread') ? search.readFloor + 1 : 1;
  const bounds = { isBackwards, from: Math.max(stretch.from, floor), to: Math.min(stretch.to, tail.end) };
  const ending = (isComplete: boolean, reached: number): Finding => ({
    found: collector.found,
    isComplete,
    reached,
  });
  let examined = 0;
  for await (const page of walk(search, tail, bounds, () => collector.missing)) {
    await collector.take(page.messages);
    examined += page.examined;
    const reached = page.messages.at(-1)?.messageId ?? bounds.from;
    if (collector.isFull) return ending(false, reached);
    if (isBackwards && isBeforeCallersTime(search, page.messages)) return ending(true, reached);
    if (examined >= (collector.found.length > 0 ? MAX_EXAMINED : MAX_EXAMINED_IN_VAIN))
      return ending(false, reached);
  }
  return ending(true, isBackwards ? bounds.from : bounds.to);
}

/** The indexes up to the tail, and the tail itself, in the order of the walk. */
async function* walk(
  { table, caller, source }: Search,
  tail: Tail,
  { from, to, isBackwards }: Stretch,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  const messages = tail.messages.filter(
    (message) => from <= message.messageId && message.messageId <= to && isInSource(source, message),
  );
  const newest = { messages: isBackwards ? messages.reverse() : messages, examined: messages.length };
  const older = { from, to: Math.min(to, tail.from - 1), isBackwards };
  if (isBackwards) yield newest;
  yield* walkSource(table, caller.userId, source, older, missing);
  if (!isBackwards) yield newest;
}

/** Nobody received anything before their account existed. */
const isBeforeCallersTime = ({ caller, withHistory }: Search, messages: Message[]): boolean =>
  !withHistory && (messages.at(-1)?.atSeconds ?? Number.POSITIVE_INFINITY) < caller.createdAtSeconds;

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

  async take(messages: Message[]): Promise<void> {
    const { table, caller, views } = this.#search;
    const channelIds = messages.flatMap((message) => (message.kind === 'channel' ? [message.channelId] : []));
    await loadChannelViews(table, caller.userId, views, channelIds);
    for (const message of messages) {
      if (this.isFull) return;
      const flags = this.#flagsIfFound(message);
      if (!flags) continue;
      this.found.push({ message, flags });
      this.#bytes += Buffer.byteLength(JSON.stringify(message));
    }
  }

  #flagsIfFound(message: Message): string[] | undefined {
    const { caller, terms, views, withHistory, readFloor } = this.#search;
    const view = message.kind === 'channel' ? views.get(message.channelId) : undefined;
    if (!mayRead(caller, message, view)) return undefined;
    if (!withHistory && !hasReceived(caller, message, view?.subscription)) return undefined;
    const flags = flagsOf(caller, message, view?.subscription, readFloor);
    if (!matches(terms, message, { callerId: caller.userId, flags, view })) return undefined;
    return (this.#wanted.isWanted?.(message, view) ?? true) ? flags : undefined;
  }
}
