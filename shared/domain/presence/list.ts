import type { Presence } from './presence.ts';

const DAY_SECONDS = 24 * 3600;
/** Who has not been there for so long is not listed unless a client asks to look back further. */
export const DEFAULT_HISTORY_DAYS = 14;
/**
 * Presences that may have come to be while the last list was read: clocks of functions differ a little, and reads may
 * lag. They are told again, which does no harm.
 */
const OVERLAP_SECONDS = 10;

export interface ListRequest {
  /** None older than this many days; none at all for 0. */
  historyDays: number;
  /** What the client knows already: all up to the id that came with it. -1 knows nothing. */
  lastUpdateId: number;
}

export interface PresenceList {
  /** By user. */
  presences: Map<number, Presence>;
  lastUpdateId: number;
}

/** Whether clients are told of a presence unless they ask otherwise. */
export const isRecent = ({ connectedAtSeconds }: Presence, nowSeconds: number): boolean =>
  connectedAtSeconds >= nowSeconds - DEFAULT_HISTORY_DAYS * DAY_SECONDS;

/** The presences that a client asks for. The id of an update is its second. */
export function selectPresences(
  known: [userId: number, presence: Presence][],
  { historyDays, lastUpdateId }: ListRequest,
  nowSeconds: number,
): PresenceList {
  // An id from the future is none that was given out here.
  const after = lastUpdateId > nowSeconds + OVERLAP_SECONDS ? -1 : lastUpdateId;
  const sinceSeconds = after < 0 ? nowSeconds - historyDays * DAY_SECONDS : after - OVERLAP_SECONDS + 1;
  const selected =
    historyDays === 0 ? [] : known.filter(([, { connectedAtSeconds }]) => connectedAtSeconds >= sinceSeconds);
  const newest = selected.reduce(
    (max, [, { connectedAtSeconds }]) => Math.max(max, connectedAtSeconds),
    after,
  );
  return { presences: new Map(selected), lastUpdateId: newest };
}

/** In a larger organization everybody would hear somebody return all the time; clients ask every minute anyway. */
const MOST_WHO_HEAR_OF_RETURNS = 100;

/** Whether so few have been there lately that they hear of each other's return at once. Too many are not known at all. */
export const hearOfReturns = (
  known: [userId: number, presence: Presence][] | undefined,
  nowSeconds: number,
): boolean =>
  known !== undefined &&
  selectPresences(known, { historyDays: DEFAULT_HISTORY_DAYS, lastUpdateId: -1 }, nowSeconds).presences
    .size <= MOST_WHO_HEAR_OF_RETURNS;
