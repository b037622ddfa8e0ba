import { closureChange } from '#shared/domain/organization/closure.ts';
import { OrganizationDeactivated } from '#shared/domain/organization/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findClosure, type Remembering, rememberClosure } from '#shared/store/organization/closure.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Deactivates the organization. @throws OrganizationDeactivated when it is deactivated already, Conflict */
export async function closeOrganization(services: Services, byUserId: number): Promise<void> {
  if (await findClosure(services.table)) throw new OrganizationDeactivated();
  await commit(services, closureChange(byUserId, toSeconds(services.clock.nowMs())));
  rememberClosure(services, true);
}

/** Reactivates the organization. No effect on an active one. */
export async function reopenOrganization(services: Remembering): Promise<void> {
  await services.table.write({ kind: 'delete', key: organizationKeys.closure() });
  rememberClosure(services, false);
}
