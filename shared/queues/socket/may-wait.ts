import type { ShapedEvent } from '#shared/events/shape.ts';

/** So long an event that may wait is kept for one that may not, with which it then goes in one text. */
export const PATIENCE_MS = 10_000;

/**
 * What a client shows as well some seconds later, and no one has asked for: that another person came back, which clients
 * also learn from their report of each minute, what a status says, and that no one types any more, which clients assume
 * by themselves after 15 seconds.
 */
const PATIENT = new Set(['presence', 'user_status', 'typing/stop', 'typing_edit_message/stop']);

/** Whether a client may be told of an event later. What its own user did comes at once, since a page may wait for it. */
export const mayWait = ({ type, op, user_id }: ShapedEvent, userId: number): boolean =>
  PATIENT.has(op === undefined ? type : `${type}/${op}`) && user_id !== userId;
