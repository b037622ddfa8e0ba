import type { Change } from '#shared/domain/change.ts';
import { groupSettingsOf } from '#shared/domain/channels/permissions.ts';
import { resumeChange, type SuspensionRow } from '#shared/domain/subscriptions/suspend.ts';
import { getCurrentUser } from '#shared/log/current-user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels.ts';
import { learnMemberships } from '#shared/store/groups.ts';
import { loadPrincipal } from '#shared/store/principals.ts';

/** Brings a user who is back into some channels again, unless they are gone again. */
export async function resumeSubscriptions(
  services: Services,
  { rows }: { rows: SuspensionRow[] },
  step: number,
): Promise<Change | undefined> {
  const { table } = services;
  const [userId, channelIds] = rows[step] as SuspensionRow;
  const principal = await loadPrincipal(table, await getCurrentUser(services, userId));
  if (!principal.user.isActive) return undefined;
  const suspended = channelIds.filter((channelId) => principal.subscriptions.get(channelId)?.isSuspended);
  const channels = await listChannelsById(table, suspended);
  await learnMemberships(table, principal.user, channels.flatMap(groupSettingsOf));
  const targets = channels.map((channel) => ({ channel, isNew: false, isDefault: false, color: undefined }));
  return resumeChange(principal, targets);
}
