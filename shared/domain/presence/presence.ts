import type { User } from '#shared/domain/users/user.ts';

/** How often clients should report, and after how long without a report they show a user as offline. */
export const PING_INTERVAL_SECONDS = 60;
export const OFFLINE_THRESHOLD_SECONDS = 200;

/** Earlier reports, for instance from several windows, add nothing. */
const REPORT_INTERVAL_SECONDS = 55;
/**
 * The return after a longer absence is announced at once: others would show the user as offline until their
 * next poll.
 */
const RETURN_AFTER_SECONDS = OFFLINE_THRESHOLD_SECONDS - PING_INTERVAL_SECONDS - 10;
/** A user who hides their presence appears to have left this long ago. */
const HIDDEN_FOR_SECONDS = OFFLINE_THRESHOLD_SECONDS + 120;

/** The user's last activity, and the last connection of one of their clients. */
export interface Presence {
  activeAtSeconds: number;
  connectedAtSeconds: number;
}

/** The status that a client reports. */
export type ReportedStatus = 'active' | 'idle';

/** The effect of a report on a presence. */
export interface Report {
  presence: Presence;
  /** The user was away or idle long enough for the return to be announced. */
  isReturn: boolean;
}

/** The presence after a report; undefined when it adds nothing. */
export function reportPresence(
  seen: Presence | undefined,
  status: ReportedStatus,
  { createdAtSeconds }: User,
  nowSeconds: number,
): Report | undefined {
  const isActive = status === 'active';
  if (!seen) {
    const activeAtSeconds = isActive ? nowSeconds : createdAtSeconds;
    return { presence: { activeAtSeconds, connectedAtSeconds: nowSeconds }, isReturn: isActive };
  }
  const inactiveSeconds = nowSeconds - seen.activeAtSeconds;
  const becomesActive = isActive && inactiveSeconds > REPORT_INTERVAL_SECONDS;
  if (!becomesActive && nowSeconds - seen.connectedAtSeconds <= REPORT_INTERVAL_SECONDS) return undefined;
  return {
    presence: {
      activeAtSeconds: becomesActive ? nowSeconds : seen.activeAtSeconds,
      connectedAtSeconds: Math.max(nowSeconds, seen.connectedAtSeconds),
    },
    isReturn: becomesActive && inactiveSeconds > RETURN_AFTER_SECONDS,
  };
}

/** The presence of a user who hides it: older than every threshold. */
export function hidePresence(seen: Presence, nowSeconds: number): Presence {
  const longAgo = Math.min(nowSeconds - HIDDEN_FOR_SECONDS, seen.activeAtSeconds, seen.connectedAtSeconds);
  return { activeAtSeconds: longAgo, connectedAtSeconds: longAgo };
}
