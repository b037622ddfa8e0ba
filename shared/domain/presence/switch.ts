import type { ChangePart } from '#shared/domain/change.ts';
import { type StoredStatus, statusChange, type UserStatus } from '#shared/domain/user-statuses/status.ts';
import type { User } from '#shared/domain/users/user.ts';
import { presenceChange, presenceOf, type SeenPresence } from './changes.ts';
import { hidePresence } from './presence.ts';

/** What others see of a user before a change. */
export interface Appearance {
  seen: SeenPresence;
  status: StoredStatus;
  /** The organization hides all presences. */
  isPresenceDisabled: boolean;
}

/**
 * Shows or hides a user's presence: others see the user as active, or as gone for a while; old clients, which
 * treat this as a status, get the status event too. Other parts of the status may change with it.
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
