import type { Change, ChangePart } from '#shared/domain/change.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { INTERNAL_KEY_ENDED } from '#shared/events/stored-fields.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import type { Write } from '#shared/table/table.ts';
import { passwordWrite, withoutHash } from './password.ts';
import type { Session } from './sessions/session.ts';
import type { Account } from './user.ts';
import { userWrites } from './writes.ts';

/** The sessions of an account once its key has another version; all of before end. */
export type OpensSessions = (next: Account) => Session[];

/** The sha-256 within the digest of a key, as `digestOfKey` makes it; undefined if no key was issued. */
const printOfKey = (apiKeyDigest: string | undefined): string | undefined =>
  apiKeyDigest === undefined || apiKeyDigest === '' ? undefined : apiKeyDigest.split(':')[1];

/**
 * Makes an account findable by its key alone. An item of an earlier key is harmless: the account decides which key is
 * valid.
 */
export function keyIndexWrites(
  userId: number,
  apiKeyDigest: string | undefined,
): Extract<Write, { kind: 'put' }>[] {
  const print = printOfKey(apiKeyDigest);
  return print === undefined ? [] : [{ kind: 'put', item: { ...signInKeys.apiKey(print), userId } }];
}

/** Invalidates the API key of an account, also for waiting polls; returns the version of the next key. */
export function newKeyChange(
  account: Account,
  opens?: OpensSessions,
): { change: Change; keyVersion: number } {
  const keyVersion = account.keyVersion + 1;
  const own = { keyVersion, ...(opens && { sessions: opens({ ...account, keyVersion }) }) };
  const writes = userWrites(account, {}, { account: own });
  return { change: { writes, events: [keyEndEvent(account.userId, keyVersion)] }, keyVersion };
}

/** Notifies waiting polls that keys before this version are invalid. */
export const keyEndEvent = (userId: number, keyVersion: number): LogEvent => ({
  audience: { kind: 'users', userIds: [userId] },
  payload: { type: INTERNAL_KEY_ENDED, userId, keyVersion },
});

/** Whether a log entry invalidates the user's key of this version. */
export const endsKey = ({ events }: { events: LogEvent[] }, userId: number, keyVersion: number): boolean =>
  events.some(
    ({ payload }) =>
      payload.type === INTERNAL_KEY_ENDED && payload.userId === userId && payload.keyVersion > keyVersion,
  );

/**
 * An account gets another password. Its API key and its sessions end, but for the one that `opens` for the account as it is
 * then.
 */
export function newPasswordChange(account: Account, passwordHash: string, opens: OpensSessions): ChangePart {
  const keyVersion = account.keyVersion + 1;
  const sessions = opens({ ...account, keyVersion });
  const own = { keyVersion, sessions, ...withoutHash };
  return {
    writes: [...userWrites(account, {}, { account: own }), passwordWrite(account.userId, passwordHash)],
    events: [keyEndEvent(account.userId, keyVersion)],
  };
}
