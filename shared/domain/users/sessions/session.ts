import { createHash } from 'node:crypto';
import type { Change } from '#shared/domain/change.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { INTERNAL_SESSION_ENDED } from '#shared/events/stored-fields.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';

/** A signed-in browser, as stored with the account: reading the table does not reveal its token. */
export interface Session {
  /** The digest of the browser's token. */
  digest: string;
  /** The session ends with this version of the API key. */
  keyVersion: number;
  endsAtSeconds: number;
}

/** After this time a browser must sign in again. */
export const SESSION_SECONDS = 30 * 24 * 3600;
/** With more, an account could exceed 4 KB, and each request would cost two units. */
export const MAX_SESSIONS = 20;
/** 132 bits. */
const DIGEST_LENGTH = 22;

/** A token is 256 random bits, so SHA-256 is slow enough. */
export const digestOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url').slice(0, DIGEST_LENGTH);

/** The open session of a token. */
export function findSession(account: Account, token: string, nowSeconds: number): Session | undefined {
  const digest = digestOfToken(token);
  return openSessions(account, nowSeconds).find((session) => session.digest === digest);
}

/** Whether the session with this digest is open. */
export const hasSession = (account: Account, digest: string, nowSeconds: number): boolean =>
  openSessions(account, nowSeconds).some((session) => session.digest === digest);

const openSessions = ({ sessions = [], keyVersion }: Account, nowSeconds: number): Session[] =>
  sessions.filter((session) => session.keyVersion === keyVersion && session.endsAtSeconds > nowSeconds);

/** Removes all sessions from an account. */
export const endedSessions = { sessions: undefined };

/** Adds a session and drops the oldest ones above the limit. */
export function withSession(account: Account, token: string, nowSeconds: number): Session[] {
  const endsAtSeconds = nowSeconds + SESSION_SECONDS;
  const added = { digest: digestOfToken(token), keyVersion: account.keyVersion, endsAtSeconds };
  return [...openSessions(account, nowSeconds), added].slice(-MAX_SESSIONS);
}

/** Stores the sessions of an account on condition that it has not changed since it was loaded. */
export const sessionsWrite = (
  { userId, email, keyVersion, sessions }: Account,
  next: Session[],
): Extract<Write, { kind: 'update' }> => ({
  kind: 'update',
  key: userKeys.account(email),
  set: { sessions: next },
  condition: sessions
    ? { equals: { userId, keyVersion, sessions } }
    : { equals: { userId, keyVersion }, absent: ['sessions'] },
});

/** Signs a person out of one session's browser, or of all; undefined when none is signed in. */
export function signOutChange(
  account: Account,
  digest: string | undefined,
  nowSeconds: number,
): Change | undefined {
  const open = openSessions(account, nowSeconds);
  const ended = open.filter((session) => digest === undefined || session.digest === digest);
  if (ended.length === 0) return undefined;
  const left = open.filter((session) => !ended.includes(session));
  const tokenDigests = ended.map((session) => session.digest);
  return {
    writes: [sessionsWrite(account, left)],
    events: [sessionEndEvent(account.userId, tokenDigests)],
  };
}

/** Ends the polls of those browsers. */
const sessionEndEvent = (userId: number, tokenDigests: string[]): LogEvent => ({
  audience: { kind: 'users', userIds: [userId] },
  payload: { type: INTERNAL_SESSION_ENDED, userId, tokenDigests },
});

/** Whether a log entry ends the session or the API token of the caller. */
export const endsSession = (
  { events }: { events: LogEvent[] },
  { userId, sessionDigest, token }: Account,
): boolean => {
  const digest = sessionDigest ?? token?.digest;
  return (
    digest !== undefined &&
    events.some(
      ({ payload }) =>
        payload.type === INTERNAL_SESSION_ENDED &&
        payload.userId === userId &&
        payload.tokenDigests.includes(digest),
    )
  );
};
