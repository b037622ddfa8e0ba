import type { Change } from '#shared/domain/change.ts';
import type { KeyEnd } from '#shared/events/catalogue.ts';
import { INTERNAL_KEY_ENDED, type LogEvent } from '#shared/events/catalogue.ts';
import type { Account } from './user.ts';
import { userWrites } from './writes.ts';

/** Makes the API key of an account worthless, also for polls that wait; says the version of the next key. */
export function newKeyChange(account: Account): { change: Change; keyVersion: number } {
  const keyVersion = account.keyVersion + 1;
  const writes = userWrites(account, {}, { account: { keyVersion } });
  return { change: { writes, events: [keyEndEvent(account.userId, keyVersion)] }, keyVersion };
}

/** Tells the polls of a user that keys before this version are worthless. */
export const keyEndEvent = (userId: number, keyVersion: number): LogEvent => ({
  audience: { kind: 'users', userIds: [userId] },
  payload: { type: INTERNAL_KEY_ENDED, userId, keyVersion } satisfies KeyEnd,
});

/** Whether an entry of the log ends the key of a user that has this version. */
export const endsKey = ({ events }: { events: LogEvent[] }, userId: number, keyVersion: number): boolean =>
  events.some(
    ({ payload }) => isKeyEnd(payload) && payload.userId === userId && payload.keyVersion > keyVersion,
  );

const isKeyEnd = (payload: { type: string }): payload is KeyEnd => payload.type === INTERNAL_KEY_ENDED;
