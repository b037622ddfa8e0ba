import type { Organization } from '#shared/domain/organization/organization.ts';
import { type ListRequest, selectPresences } from '#shared/domain/presence/list.ts';
import type { Presence } from '#shared/domain/presence/presence.ts';
import { toLegacyPresence, toModernPresence } from '#shared/domain/presence/record.ts';
import { displayEmailOf } from '#shared/domain/users/address.ts';
import { isSeen } from '#shared/domain/users/sight.ts';
import { spectator, type User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listPresences } from '#shared/store/presences.ts';
import { findSight } from '#shared/store/sight.ts';

export interface PresenceView extends ListRequest {
  viewer: User;
  organization: () => Promise<Organization>;
}

/** The presences of others that somebody may see, with what a client needs to ask for the next ones. */
export async function readPresences({ table, clock }: Services, view: PresenceView) {
  const nowMs = clock.nowMs();
  const isHidden =
    view.viewer.role === spectator.role || (await view.organization()).settings.presence_disabled;
  // What a lagging read misses comes with the next list of a client that goes on from this one.
  const known = isHidden ? [] : await listPresences(table, { eventually: view.lastUpdateId >= 0 });
  const sight = isHidden ? undefined : await findSight(table, view.viewer, view.organization);
  const seen = known.filter(([userId]) => isSeen(sight, userId));
  const { presences, lastUpdateId } = selectPresences(seen, view, toSeconds(nowMs));
  return { presences, presence_last_update_id: isHidden ? -1 : lastUpdateId, server_timestamp: nowMs / 1000 };
}

/** In the form that the client understands: by user id with both times, or by address in the old one. */
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

/** Everybody is read for their addresses, where somebody is present. */
export async function byAddress(presences: Map<number, Presence>, users: () => Promise<User[]>) {
  const everybody = presences.size === 0 ? [] : await users();
  return Object.fromEntries(
    everybody.flatMap((user) => {
      const presence = presences.get(user.userId);
      return presence ? [[displayEmailOf(user), toLegacyPresence(presence)]] : [];
    }),
  );
}
