import { dayOf } from '#shared/domain/users/activity.ts';
import type { User } from '#shared/domain/users/user.ts';

/** Whether somebody is away, so that only their telephone can reach them. Known is the last day of activity. */
export const isIdle = ({ lastActiveDay = 0 }: User, nowSeconds: number): boolean =>
  lastActiveDay < dayOf(nowSeconds);
