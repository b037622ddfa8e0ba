import { OFFLINE_THRESHOLD_SECONDS, type Presence } from '#shared/domain/presence/presence.ts';

/**
 * Whether a user is away, so that only a push notification reaches them: no activity for longer than the
 * offline threshold. Users who hide their presence count as away.
 */
export const isIdle = (presence: Presence | undefined, nowSeconds: number): boolean =>
  presence === undefined || nowSeconds - presence.activeAtSeconds > OFFLINE_THRESHOLD_SECONDS;
