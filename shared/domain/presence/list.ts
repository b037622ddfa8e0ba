import type { Presence } from './presence.ts';

const DAY_SECONDS = 24 * 3600;
/** Users not seen for this time are listed only if a client requests a longer history. */
export const DEFAULT_HISTORY_DAYS = 14;
/**
 * Presences may have been stored while the previous list was read, because clocks differ slightly and reads
 * may lag. Repeating them is harmless.
 */
const OVERLAP_SECONDS = 10;

export interface ListRequest {
  /** The maximum age in days; 0 lists none. */
  historyDays: number;
  /** The update id of the client's previous list; -1 when it has none. */
  lastUpdateId: number;
}

export interface PresenceList {
  /** By user id. */
  presences: Map<number, Presence>;
  lastUpdateId: number;
}

/** Whether a presence is listed by default. */
export const isRecent = ({ connectedAtSeconds }: Presence, nowSeconds: number): boolean =>
  connectedAtSeconds >= nowSeconds - DEFAULT_HISTORY_DAYS * DAY_SECONDS;

/** The presences for a request. The id of an update is its time in seconds. */
export function selectPresences(
  known: [userId: number, presence: Presence][],
  { historyDays, lastUpdateId }: ListRequest,
  nowSeconds: number,
): PresenceList {
  // An id from the future was not issued here.
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

/**
 * In larger organizations returns would cause a constant stream of events; clients poll every minute anyway.
 */
const MOST_WHO_HEAR_OF_RETURNS = 100;

/**
 * Whether so few users were active lately that returns are announced at once. When there are too many, they
 * are not even counted.
 */
export const hearOfReturns = (
  known: [userId: number, presence: Presence][] | undefined,
  nowSeconds: number,
): boolean =>
  known !== undefined &&
  selectPresences(known, { historyDays: DEFAULT_HISTORY_DAYS, lastUpdateId: -1 }, nowSeconds).presences
    .size <= MOST_WHO_HEAR_OF_RETURNS;
