import { Unauthorized } from '#shared/domain/errors.ts';
import type { Table } from '#shared/table/table.ts';
import { listChannels } from './channels.ts';
import { getOrganization } from './organization.ts';

/** @throws Unauthorized where the organization shows nothing to people without an account */
export async function requireSpectatorAccess(table: Table): Promise<void> {
  const { settings } = await getOrganization(table);
  const isOpen =
    settings.enable_spectator_access &&
    (await listChannels(table)).some(({ isWebPublic, isArchived }) => isWebPublic && !isArchived);
  if (!isOpen) throw new Unauthorized();
}
