import { UserDeactivated } from '#shared/domain/errors.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { isGone, presenceChange, presenceOf, presenceWrite } from '#shared/domain/presence/changes.ts';
import { hearOfReturns } from '#shared/domain/presence/list.ts';
import { type ReportedStatus, reportPresence } from '#shared/domain/presence/presence.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit, writeSilently } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findFewPresences, getSeenPresence } from '#shared/store/users/presences.ts';
import { getUserSettings } from '#shared/store/users/user-settings.ts';

/**
 * Records a report of a user's client: one write, or none if it adds nothing. It becomes an event only for a
 * return after a while in a small organization.
 * @throws UserDeactivated after a concurrent deactivation, Conflict
 */
export async function takeReport(
  services: Services,
  user: User,
  status: ReportedStatus,
  { settings }: Organization,
): Promise<void> {
  const { table, clock } = services;
  if (settings.presence_disabled) return;
  const seen = await getSeenPresence(table, user.userId);
  if (isGone(seen)) throw new UserDeactivated();
  const nowMs = clock.nowMs();
  const report = reportPresence(presenceOf(seen), status, user, toSeconds(nowMs));
  if (!report || !(await getUserSettings(table, user)).presence_enabled) return;
  const { presence, isReturn } = report;
  if (isReturn && hearOfReturns(await findFewPresences(table), toSeconds(nowMs)))
    await commit(services, presenceChange(user, seen, presence, nowMs));
  else await writeSilently(services, presenceWrite(seen, presence));
}
