import type { Organization } from '#shared/domain/organization/organization.ts';
import type { Appearance } from '#shared/domain/presence/switch.ts';
import { requirePresent } from '#shared/domain/user-statuses/status.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Table } from '#shared/table/table.ts';
import { getSeenPresence } from './presences.ts';
import { getUserStatus } from './user-statuses.ts';

/** What others see of a user's presence. Two reads. @throws BadRequest for a deactivated user */
export async function getAppearance(
  table: Table,
  { userId }: User,
  { settings }: Organization,
): Promise<Appearance> {
  const [seen, status] = await Promise.all([getSeenPresence(table, userId), getUserStatus(table, userId)]);
  requirePresent(status);
  return { seen, status, isPresenceDisabled: settings.presence_disabled };
}
