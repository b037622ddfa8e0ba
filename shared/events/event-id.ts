/**
 * Event ids increase strictly within a queue: the log position, then room for the events of one entry, then
 * room for heartbeats while nothing happens (one a minute for over a year).
 */
const IDS_PER_POSITION = 2 ** 20;
const FIRST_HEARTBEAT = 4096;
/** The last id before the heartbeats acknowledges the position. */
export const MAX_EVENTS_PER_POSITION = FIRST_HEARTBEAT - 1;

export const eventId = (position: number, index: number): number => position * IDS_PER_POSITION + index;

/**
 * Deferred events of a queue precede its log events and use ids after the position at which it starts.
 */
export const deferredEventId = (position: number, index: number): number =>
  eventId(position, FIRST_HEARTBEAT + index);
/** The number of such ids before the next position. */
export const MAX_DEFERRED_EVENTS = IDS_PER_POSITION - FIRST_HEARTBEAT;

/** The id that acknowledges everything up to and including a position. */
export const endOfPosition = (position: number): number => eventId(position, FIRST_HEARTBEAT - 1);

/**
 * Whether an id represents a whole position instead of an event: register returns such ids, polls never do.
 */
export const isEndOfPosition = (id: number): boolean => endOfPosition(positionOfEventId(id)) === id;

export const positionOfEventId = (id: number): number => Math.floor(id / IDS_PER_POSITION);

/** The id of a heartbeat after all events up to a position and all earlier heartbeats. */
export const heartbeatId = (position: number, lastId: number): number =>
  Math.max(lastId + 1, eventId(position, FIRST_HEARTBEAT));
