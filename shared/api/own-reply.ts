import type { HttpEvent, HttpReply } from './http.ts';

/** What a handler returns whose answer is not in the envelope. The edge knows no kinds of it, so that only who uses one loads it. */
export interface OwnReply {
  toReply(request: HttpEvent): HttpReply;
}

/** Whether it is one: fields of the envelope are data. */
export const isOwnReply = (given: object): given is OwnReply =>
  'toReply' in given && typeof given.toReply === 'function';
