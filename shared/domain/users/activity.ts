import type { User } from './user.ts';

const DAY_SECONDS = 24 * 3600;
/** Users active within these days are listed among the subscribers of every channel (reference, "Limits"). */
const ACTIVE_DAYS = 14;

/** Days since 1970. */
export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS);

/** Whether the user was active lately; a new account counts as active. */
export const isRecentlyActive = (
  { lastActiveDay = 0, createdAtSeconds }: User,
  nowSeconds: number,
): boolean => dayOf(nowSeconds) - Math.max(lastActiveDay, dayOf(createdAtSeconds)) <= ACTIVE_DAYS;
