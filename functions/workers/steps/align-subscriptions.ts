import type { Change } from '#shared/domain/change.ts';
import { groupSettingsOf } from '#shared/domain/channels/permissions.ts';
import { alignmentChanges, listMisaligned } from '#shared/domain/subscriptions/align.ts';
import { commit } from '#shared/log/commit.ts';
import { getCurrentUser } from '#shared/log/current-user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels.ts';
import { learnMemberships } from '#shared/store/groups.ts';
import { loadPrincipal } from '#shared/store/principals.ts';

/**
 * Suspends the subscriptions of a user who is deactivated, or resumes those of a user who is active; the step is the
 * user. It decides by what the account is now, so that a late job never undoes a reactivation.
 */
export async function alignSubscriptions(
  services: Services,
  _payload: object,
  step: number,
): Promise<Change | undefined> {
  const { table } = services;
  const principal = await loadPrincipal(table, await getCurrentUser(services, step));
  const channels = await listChannelsById(table, listMisaligned(principal));
  await learnMemberships(table, principal.user, channels.flatMap(groupSettingsOf));
  const changes = alignmentChanges(principal, channels);
  const last = changes.pop();
  for (const change of changes) await commit(services, change);
  return last;
}
