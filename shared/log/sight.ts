import type { Organization } from '#shared/domain/organization/organization.ts';
import type { Sight } from '#shared/domain/users/sight.ts';
import type { User } from '#shared/domain/users/user.ts';
import { listEntries } from '#shared/store/log.ts';
import { findSight } from '#shared/store/sight.ts';
import type { Table } from '#shared/table/table.ts';
import { readTended } from './head.ts';

/**
 * Whom a viewer sees as register tells it: `findSight`, with the conversations of messages up to a position from which
 * nothing has followed yet.
 */
export async function findSightAt(
  table: Table,
  viewer: User,
  position: number,
  readOrganization: () => Promise<Organization>,
): Promise<Sight | undefined> {
  const sight = await findSight(table, viewer, readOrganization);
  if (!sight) return undefined;
  const entries = await listEntries(table, (await readTended(table)) + 1, position);
  const partners = entries.flatMap(({ message }) => {
    const ids = message?.kind === 'direct' ? message.recipients.map(({ id }) => id) : [];
    return ids.includes(viewer.userId) ? ids : [];
  });
  return { ...sight, userIds: new Set([...sight.userIds, ...partners]) };
}
