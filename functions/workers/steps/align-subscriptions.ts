import { commitAllButLast } from '#shared/actions/messages/finish-step.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { alignmentChanges, listMisaligned } from '#shared/domain/subscriptions/align.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels/channels.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import { loadPrincipal } from '#shared/store/users/principals.ts';

/**
 * Suspends the subscriptions of a deactivated user, or resumes the ones of an active user; the step is the user.
 * It decides by the account's present state, so a late job never undoes a reactivation.
 */
export async function alignSubscriptions(
  services: Services,
  _payload: JobPayloads['align-subscriptions'],
  step: number,
): Promise<Change | undefined> {
  const { table } = services;
  const principal = await loadPrincipal(table, await getCurrentUser(services, step));
  const channels = await listChannelsById(table, listMisaligned(principal));
  const changes = alignmentChanges(principal, channels);
  return commitAllButLast(services, changes);
}
