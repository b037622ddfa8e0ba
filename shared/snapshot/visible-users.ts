import type { Organization } from '#shared/domain/organization/organization.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { VisibleUsers } from '#shared/domain/users/visible-users.ts';
import { readTended } from '#shared/log/head.ts';
import { listEntries } from '#shared/store/log/log.ts';
import { findVisibleUsers } from '#shared/store/visibility/visible-users.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * The users visible to a viewer, for register: `findVisibleUsers`, plus conversations with messages up to a
 * position whose summaries may not be written yet.
 */
export async function findVisibleUsersAt(
  table: Table,
  viewer: User,
  position: number,
  readOrganization: () => Promise<Organization>,
): Promise<VisibleUsers | undefined> {
  const visibleUsers = await findVisibleUsers(table, viewer, readOrganization);
  if (!visibleUsers) return undefined;
  const entries = await listEntries(table, (await readTended(table)) + 1, position);
  const partners = entries.flatMap(({ message }) => {
    const ids = message?.kind === 'direct' ? message.recipients.map(({ id }) => id) : [];
    return ids.includes(viewer.userId) ? ids : [];
  });
  return { ...visibleUsers, userIds: new Set([...visibleUsers.userIds, ...partners]) };
}
