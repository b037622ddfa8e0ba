import { ADDRESS_LIFE_SECONDS, exportPath } from '#shared/domain/exports/address.ts';
import { isForOwners } from '#shared/domain/exports/changes.ts';
import type { AddressOf } from '#shared/domain/exports/export.ts';
import { isOwner, type User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Addresses of archives, valid for a week from now. */
export async function loadAddresses({ table, clock }: Services): Promise<AddressOf> {
  const { url } = await getOrganization(table);
  const untilSeconds = toSeconds(clock.nowMs()) + ADDRESS_LIFE_SECONDS;
  return (dataExport) => `${url}${exportPath(dataExport, untilSeconds)}`;
}

/** The same for one administrator, without archives reserved for owners. */
export async function loadAddressesFor(services: Services, viewer: User): Promise<AddressOf> {
  const addressOf = await loadAddresses(services);
  return (dataExport) => (isForOwners(dataExport) && !isOwner(viewer) ? null : addressOf(dataExport));
}
