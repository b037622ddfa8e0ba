import type { ChangePart } from '#shared/domain/change.ts';
import { type StoredStatus, statusChange, type UserStatus } from '#shared/domain/statuses/status.ts';
import type { User } from '#shared/domain/users/user.ts';
import { presenceChange, presenceOf, type SeenPresence } from './changes.ts';
import { hidePresence } from './presence.ts';

/** What others see of somebody, as it is before a change. */
export interface Appearance {
  seen: SeenPresence;
  status: StoredStatus;
  /** Nobody's presence is shown in the organization. */
  isPresenceDisabled: boolean;
}

/**
 * Somebody lets others see whether they are there, or no longer does: others see them active from now on, or gone for a
 * while already; and old clients, for which that is a status, are told so. More of the status may change along.
 */
export function appearanceChange(
  user: User,
  appearance: Appearance,
  { isShown, status, nowMs }: { isShown: boolean; status?: Partial<UserStatus>; nowMs: number },
): ChangePart {
  const presence = switchedPresence(user, appearance, isShown, nowMs);
  const away = statusChange(appearance.status, { ...status, isAway: !isShown });
  return { writes: [...presence.writes, ...away.writes], events: [...presence.events, ...away.events] };
}

function switchedPresence(user: User, appearance: Appearance, isShown: boolean, nowMs: number): ChangePart {
  const { seen, isPresenceDisabled } = appearance;
  const nowSeconds = Math.floor(nowMs / 1000);
  const before = presenceOf(seen);
  if (isPresenceDisabled || (!isShown && !before)) return { writes: [], events: [] };
  const after =
    isShown || !before
      ? { activeAtSeconds: nowSeconds, connectedAtSeconds: nowSeconds }
      : hidePresence(before, nowSeconds);
  return presenceChange(user, seen, after, nowMs);
}
