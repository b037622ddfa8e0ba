import type { ShapedEvent } from '#shared/events/shape.ts';

/** So long an event that may wait is kept for one that may not, with which it then goes in one text. */
export const PATIENCE_MS = 10_000;

/**
 * Events that a client may show some seconds later: the return of another person, which clients also learn from
 * their report of each minute, the text of a status, and the end of typing, which clients assume
 * by themselves after 15 seconds.
 */
const PATIENT = new Set(['presence', 'user_status', 'typing/stop', 'typing_edit_message/stop']);

/** Whether an event may be sent later. Events about the client's own user are urgent, since a page may wait for them. */
export const mayWait = (event: ShapedEvent, userId: number): boolean =>
  PATIENT.has(event.op === undefined ? event.type : `${event.type}/${event.op}`) &&
  !('user_id' in event && event.user_id === userId);
