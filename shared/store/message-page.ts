import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { type Anchor, NEWEST_ANCHOR, OLDEST_ANCHOR } from '#shared/domain/narrow/anchor.ts';
import { noPreferences, type ResolvedTerm } from '#shared/domain/narrow/term.ts';
import { isMutedFor } from '#shared/domain/topics/visibility.ts';
import type { Services } from '#shared/runtime/services.ts';
import {
  type Finding,
  type FoundMessage,
  findAlong,
  findByIds,
  MAX_PAGE_BYTES,
  type Search,
} from './message-search.ts';
import { readTail, type Tail } from './message-tail.ts';
import { findPositionSince } from './messages.ts';
import { loadPreferences } from './preferences.ts';

export interface PageRequest {
  anchor: Anchor;
  includeAnchor: boolean;
  numBefore: number;
  numAfter: number;
}

export interface MessagePage {
  /** Where the anchor turned out to be. */
  anchor: number;
  /** Ascending. */
  found: FoundMessage[];
  foundAnchor: boolean;
  foundOldest: boolean;
  foundNewest: boolean;
}

/**
 * The messages around an anchor that a search finds. A page may hold fewer than were asked for although there are
 * more (see `findAlong`); then `foundOldest` or `foundNewest` is false, and the client asks on from what it got.
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

/** Where no channel is named, what is muted is not what the caller wants to read next. */
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

/** The first message from a position on; where the walk had to end before it, the place that it came to. */
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
