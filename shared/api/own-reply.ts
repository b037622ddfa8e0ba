import type { HttpEvent, HttpReply } from './http.ts';

/**
 * The answer of a handler that does not use the envelope. The edge knows only this interface, so that only
 * functions that use a kind of reply load it.
 */
export interface OwnReply {
  toReply(request: HttpEvent): HttpReply;
}

/** Whether an answer bypasses the envelope: envelope fields are plain data. */
export const isOwnReply = (input: object): input is OwnReply =>
  'toReply' in input && typeof input.toReply === 'function';
