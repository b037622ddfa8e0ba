/**
 * Event ids grow strictly within a queue: the position of the log entry, then room for the events that one entry
 * becomes for one client, then room for heartbeats while nothing happens (one a minute for over a year).
 */
const IDS_PER_POSITION = 2 ** 20;
const FIRST_HEARTBEAT = 4096;
/** The last id before the heartbeats acknowledges the position. */
export const MAX_EVENTS_PER_POSITION = FIRST_HEARTBEAT - 1;

export const eventId = (position: number, index: number): number => position * IDS_PER_POSITION + index;

/** Events that a queue tells before any of the log follow the position at which it begins; what comes next follows those. */
export const arrearEventId = (position: number, index: number): number =>
  eventId(position, FIRST_HEARTBEAT + index);
/** So many of them have room before the next position. */
export const MAX_ARREAR_EVENTS = IDS_PER_POSITION - FIRST_HEARTBEAT;

/** The id that acknowledges everything up to and including a position. */
export const endOfPosition = (position: number): number => eventId(position, FIRST_HEARTBEAT - 1);

/** Whether an id is that of no event, but stands for a whole position: register gives such ids, and no poll does. */
export const isEndOfPosition = (id: number): boolean => endOfPosition(positionOfEventId(id)) === id;

export const positionOfEventId = (id: number): number => Math.floor(id / IDS_PER_POSITION);

/** The id of a heartbeat that follows all events up to a position and every earlier heartbeat. */
export const heartbeatId = (position: number, lastId: number): number =>
  Math.max(lastId + 1, eventId(position, FIRST_HEARTBEAT));
