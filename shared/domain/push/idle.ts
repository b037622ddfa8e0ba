import { OFFLINE_THRESHOLD_SECONDS, type Presence } from '#shared/domain/presence/presence.ts';

/**
 * Whether somebody is away, so that only their telephone can reach them: nobody has seen them do something for as long as
 * makes them offline. Whoever hides where they are counts as away.
 */
export const isIdle = (presence: Presence | undefined, nowSeconds: number): boolean =>
  presence === undefined || nowSeconds - presence.activeAtSeconds > OFFLINE_THRESHOLD_SECONDS;
