import type { User } from '#shared/domain/users/user.ts';

/** How often clients should report, and after how long without a report they should show somebody as offline. */
export const PING_INTERVAL_SECONDS = 60;
export const OFFLINE_THRESHOLD_SECONDS = 200;

/** Reports that follow sooner, as those of several windows do, say nothing new. */
const REPORT_INTERVAL_SECONDS = 55;
/** Whoever was away longer is told of at once: others would take them for offline before they ask again. */
const RETURN_AFTER_SECONDS = OFFLINE_THRESHOLD_SECONDS - PING_INTERVAL_SECONDS - 10;
/** Whoever stops to be shown looks as if they had left so long ago. */
const HIDDEN_FOR_SECONDS = OFFLINE_THRESHOLD_SECONDS + 120;

/** When somebody last did something, and when a client of theirs was last connected. */
export interface Presence {
  activeAtSeconds: number;
  connectedAtSeconds: number;
}

/** What a client says that its user is. */
export type ReportedStatus = 'active' | 'idle';

/** What a report makes of a presence. */
export interface Report {
  presence: Presence;
  /** They were away or idle so long that others want to hear of it. */
  isReturn: boolean;
}

/** The presence after a report; undefined where it says nothing new. */
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

/** The presence of somebody who does not want to be shown any longer: from before every threshold. */
export function hidePresence(seen: Presence, nowSeconds: number): Presence {
  const longAgo = Math.min(nowSeconds - HIDDEN_FOR_SECONDS, seen.activeAtSeconds, seen.connectedAtSeconds);
  return { activeAtSeconds: longAgo, connectedAtSeconds: longAgo };
}
