import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { type Anchor, NEWEST_ANCHOR, OLDEST_ANCHOR } from '#shared/domain/narrow/anchor.ts';
import { noPreferences, type ResolvedTerm } from '#shared/domain/narrow/term.ts';
import { isMutedFor } from '#shared/domain/topics/visibility.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readTail, type Tail } from '#shared/store/messages/message-tail.ts';
import { findPositionSince } from '#shared/store/messages/messages.ts';
import { loadPreferences } from '#shared/store/topics/preferences.ts';
import {
  type Finding,
  type FoundMessage,
  findAlong,
  findByIds,
  MAX_PAGE_BYTES,
  type Search,
} from './message-search.ts';

export interface PageRequest {
  anchor: Anchor;
  includeAnchor: boolean;
  numBefore: number;
  numAfter: number;
}

export interface MessagePage {
  /** The resolved anchor. */
  anchor: number;
  /** Ascending. */
  found: FoundMessage[];
  foundAnchor: boolean;
  foundOldest: boolean;
  foundNewest: boolean;
}

/**
 * The matches around an anchor. A page may be shorter than requested although there are more (see
 * `findAlong`); then `foundOldest` or `foundNewest` is false, and the client continues from there.
 */
export async function findPage(
  services: Services,
  search: Search,
  { anchor: wanted, includeAnchor, numBefore, numAfter }: PageRequest,
): Promise<MessagePage> {
  const tail = await readTail(
    services,
    numAfter === 0 && typeof wanted === 'number' ? wanted : NEWEST_ANCHOR,
  );
  const anchor = await locate(search, tail, wanted);
  const isAtStart = anchor === OLDEST_ANCHOR;
  const isAtEnd = anchor === NEWEST_ANCHOR;
  const maxBytes = (count: number): number => (MAX_PAGE_BYTES * count) / (numBefore + numAfter);
  const look = (count: number, from: number, to: number, isBackwards: boolean): Promise<Finding> =>
    count === 0
      ? Promise.resolve({ found: [], isComplete: false, reached: anchor })
      : findAlong(search, tail, { from, to, isBackwards }, { count, maxBytes: maxBytes(count) });
  const [before, at, after] = await Promise.all([
    look(isAtStart ? 0 : numBefore, 1, anchor - 1, true),
    includeAnchor && !isAtStart && !isAtEnd ? findByIds(search, [anchor]) : [],
    look(isAtEnd ? 0 : numAfter, anchor + 1, NEWEST_ANCHOR, false),
  ]);
  return {
    anchor,
    found: [...before.found.reverse(), ...at, ...after.found],
    foundAnchor: at.length > 0,
    foundOldest: isAtStart || before.isComplete,
    foundNewest: isAtEnd || after.isComplete,
  };
}

async function locate(search: Search, tail: Tail, anchor: Anchor): Promise<number> {
  if (typeof anchor === 'number') return anchor;
  if (anchor === 'firstUnread') return locateFirstUnread(search, tail);
  const since = await findPositionSince(search.table, anchor.sinceSeconds, 1, tail.end);
  return locateFirst({ ...search, isShown: false }, tail, since);
}

const unread: ResolvedTerm = { kind: 'is', operand: 'unread', isNegated: false };

/** Without a named channel, muted messages do not count as the first unread one. */
async function locateFirstUnread(search: Search, tail: Tail): Promise<number> {
  const { table, caller, marks, terms } = search;
  const skipsMuted = !terms.some(({ kind }) => kind === 'channel');
  const { policies, mutedUserIds } = skipsMuted ? await loadPreferences(table, caller.userId) : noPreferences;
  const isWanted = (message: Message, view: ChannelView | undefined): boolean => {
    if (!skipsMuted) return true;
    if (mutedUserIds.has(message.senderId)) return false;
    return message.kind === 'direct' || !isMutedFor(message, { policies, subscription: view?.subscription });
  };
  return locateFirst(
    { ...search, terms: [...terms, unread], withHistory: false, isShown: false },
    tail,
    marks.lowestUnread,
    isWanted,
  );
}

/** The first match from a position on; if the walk stops before it, the position reached. */
async function locateFirst(
  search: Search,
  tail: Tail,
  from: number,
  isWanted?: (message: Message, view: ChannelView | undefined) => boolean,
): Promise<number> {
  const wanted = { count: 1, maxBytes: MAX_PAGE_BYTES, ...(isWanted && { isWanted }) };
  const stretch = { from, to: NEWEST_ANCHOR, isBackwards: false };
  const { found, isComplete, reached } = await findAlong(search, tail, stretch, wanted);
  const [first] = found;
  if (first) return first.message.messageId;
  return isComplete ? NEWEST_ANCHOR : reached;
}
