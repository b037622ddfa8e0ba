import { closureChange, deletionNotice, erasureTime } from '#shared/domain/organization/closure.ts';
import { OrganizationDeactivated } from '#shared/domain/organization/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findClosure, type Remembering, rememberState } from '#shared/store/organization/organization.ts';
import { listUsers } from '#shared/store/users/users.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { ConditionFailed } from '#shared/table/table.ts';

/** For operators who would reactivate the organization, or make another one in its table. */
export const DELETION_BEGAN =
  'The organization was deleted: its data has been erased, or is being erased. Only a backup can restore it.';

/** The erasure of the data has begun, so that the organization is partly or wholly gone. */
export class DeletionBegan extends Error {
  constructor() {
    super(DELETION_BEGAN);
  }
}

/**
 * Deactivates the organization. With a delay in days other than 0, its data is erased after that time, and its owners
 * are mailed the date.
 * @throws BadRequest, OrganizationDeactivated when it is deactivated already, Conflict
 */
export async function closeOrganization(
  services: Services,
  byUserId: number,
  delayDays: number | null,
): Promise<void> {
  const atSeconds = toSeconds(services.clock.nowMs());
  const eraseAtSeconds = erasureTime(delayDays, atSeconds);
  if (await findClosure(services.table)) throw new OrganizationDeactivated();
  const jobs =
    eraseAtSeconds === undefined
      ? []
      : [deletionNotice(await listUsers(services.table), byUserId, eraseAtSeconds)];
  await commit(services, closureChange({ byUserId, atSeconds, eraseAtSeconds, jobs }));
  rememberState(services, 'deactivated');
}

/**
 * Reactivates the organization and cancels the deletion of its data. No effect on an active one. The condition decides
 * between it and a sweep that begins the deletion at the same moment.
 * @throws DeletionBegan
 */
export async function reopenOrganization(services: Remembering): Promise<void> {
  try {
    await services.table.write({
      kind: 'delete',
      key: organizationKeys.closure(),
      condition: { absent: ['erasingSinceSeconds'] },
    });
  } catch (failure) {
    throw failure instanceof ConditionFailed ? new DeletionBegan() : failure;
  }
  rememberState(services, 'active');
}
