import { Unauthorized } from '#shared/domain/errors.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import type { Table } from '#shared/table/table.ts';
import { listChannels } from './channels.ts';

/** @throws Unauthorized when the organization does not admit anonymous callers */
export async function requireSpectatorAccess(table: Table): Promise<void> {
  const { settings } = await getOrganization(table);
  const isOpen =
    settings.enable_spectator_access &&
    (await listChannels(table)).some(({ isWebPublic, isArchived }) => isWebPublic && !isArchived);
  if (!isOpen) throw new Unauthorized();
}
