import { UserDeactivated } from '#shared/domain/errors.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { isGone, presenceChange, presenceOf, presenceWrite } from '#shared/domain/presence/changes.ts';
import { hearOfReturns } from '#shared/domain/presence/list.ts';
import { type ReportedStatus, reportPresence } from '#shared/domain/presence/presence.ts';
import type { User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findFewPresences, getSeenPresence } from '#shared/store/presences.ts';
import { getUserSettings } from '#shared/store/user-settings.ts';
import { ConditionFailed, type Write } from '#shared/table/table.ts';
import { commit, retryConflicts, StaleState } from './commit.ts';

/**
 * Records that a client of the user reported: one write, or none when that says nothing new. Only where somebody
 * returns after a while, and few people hear of it, it becomes an event.
 * @throws UserDeactivated when that happened meanwhile, StaleState
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
  else await writeAlone(services, presenceWrite(seen, presence));
}

async function writeAlone(services: Services, write: Exclude<Write, { kind: 'check' }>): Promise<void> {
  try {
    await retryConflicts(services, () => services.table.write(write));
  } catch (failure) {
    if (failure instanceof ConditionFailed) throw new StaleState();
    throw failure;
  }
}
