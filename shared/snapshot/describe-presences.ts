import type { Organization } from '#shared/domain/organization/organization.ts';
import { type ListRequest, selectPresences } from '#shared/domain/presence/list.ts';
import type { Presence } from '#shared/domain/presence/presence.ts';
import { toLegacyPresence, toModernPresence } from '#shared/domain/presence/record.ts';
import { displayEmailOf, spectator, type User } from '#shared/domain/users/user.ts';
import { isSeen } from '#shared/domain/users/visible-users.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listPresences } from '#shared/store/users/presences.ts';
import { findVisibleUsers } from '#shared/store/visibility/visible-users.ts';

export interface PresenceView extends ListRequest {
  viewer: User;
  organization: () => Promise<Organization>;
}

/** The presences visible to a user, with the values that a client sends to request the next ones. */
export async function readPresences({ table, clock }: Services, view: PresenceView) {
  const nowMs = clock.nowMs();
  const isHidden =
    view.viewer.role === spectator.role || (await view.organization()).settings.presence_disabled;
  // What an eventually consistent read misses is in the client's next list.
  const known = isHidden ? [] : await listPresences(table, { eventually: view.lastUpdateId >= 0 });
  const visibleUsers = isHidden ? undefined : await findVisibleUsers(table, view.viewer, view.organization);
  const seen = known.filter(([userId]) => isSeen(visibleUsers, userId));
  const { presences, lastUpdateId } = selectPresences(seen, view, toSeconds(nowMs));
  return { presences, presence_last_update_id: isHidden ? -1 : lastUpdateId, server_timestamp: nowMs / 1000 };
}

/** In the client's format: by user id with both times, or the old one by address. */
export async function describePresences(
  services: Services,
  { isSlim, users, ...view }: PresenceView & { isSlim: boolean; users: () => Promise<User[]> },
) {
  const { presences, ...others } = await readPresences(services, view);
  return { presences: isSlim ? byUserId(presences) : await byAddress(presences, users), ...others };
}

const byUserId = (presences: Map<number, Presence>) =>
  Object.fromEntries(
    [...presences].map(([userId, presence]) => [String(userId), toModernPresence(presence)]),
  );

/** Loads all users if at least one is online, to map ids to addresses. */
export async function byAddress(presences: Map<number, Presence>, users: () => Promise<User[]>) {
  const allUsers = presences.size === 0 ? [] : await users();
  return Object.fromEntries(
    allUsers.flatMap((user) => {
      const presence = presences.get(user.userId);
      return presence ? [[displayEmailOf(user), toLegacyPresence(presence)]] : [];
    }),
  );
}
