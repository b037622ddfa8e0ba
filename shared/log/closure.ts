import { closureChange } from '#shared/domain/organization/closure.ts';
import { OrganizationDeactivated } from '#shared/domain/organization/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findClosure, type Remembering, rememberClosure } from '#shared/store/closure.ts';
import { organizationKeys } from '#shared/table/organization-keys.ts';
import { commit } from './commit.ts';

/** Deactivates the organization. @throws OrganizationDeactivated where it is so already, StaleState */
export async function closeOrganization(services: Services, byUserId: number): Promise<void> {
  if (await findClosure(services.table)) throw new OrganizationDeactivated();
  await commit(services, closureChange(byUserId, toSeconds(services.clock.nowMs())));
  rememberClosure(services, true);
}

/** Everything goes on as before. Safe where the organization is not deactivated. */
export async function reopenOrganization(services: Remembering): Promise<void> {
  await services.table.write({ kind: 'delete', key: organizationKeys.closure() });
  rememberClosure(services, false);
}
