import { closureChange } from '#shared/domain/organization/closure.ts';
import { OrganizationDeactivated } from '#shared/domain/organization/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findClosure } from '#shared/store/closure.ts';
import { organizationKeys } from '#shared/table/organization-keys.ts';
import type { Table } from '#shared/table/table.ts';
import { commit } from './commit.ts';

type Reading = Pick<Services, 'table' | 'clock' | 'config'>;

/** Whether the organization is deactivated, as each function remembers it for a while. */
const known = new WeakMap<Table, { isClosed: boolean; untilMs: number }>();

/** Whether the organization is deactivated. Half a read unit every few seconds: nobody waits for it to be exact. */
export async function isClosed(services: Reading): Promise<boolean> {
  const remembered = known.get(services.table);
  if (remembered && services.clock.nowMs() < remembered.untilMs) return remembered.isClosed;
  const closure = await findClosure(services.table, { eventually: true });
  return remember(services, closure !== undefined);
}

/** @throws OrganizationDeactivated */
export async function requireOpen(services: Reading): Promise<void> {
  if (await isClosed(services)) throw new OrganizationDeactivated();
}

/** Deactivates the organization. @throws OrganizationDeactivated where it is so already, StaleState */
export async function closeOrganization(services: Services, byUserId: number): Promise<void> {
  if (await findClosure(services.table)) throw new OrganizationDeactivated();
  await commit(services, closureChange(byUserId, toSeconds(services.clock.nowMs())));
  remember(services, true);
}

/** Everything goes on as before. Safe where the organization is not deactivated. */
export async function reopenOrganization(services: Reading): Promise<void> {
  await services.table.write({ kind: 'delete', key: organizationKeys.closure() });
  remember(services, false);
}

function remember({ table, clock, config }: Reading, isNowClosed: boolean): boolean {
  known.set(table, { isClosed: isNowClosed, untilMs: clock.nowMs() + config.closureMemoryMs });
  return isNowClosed;
}
