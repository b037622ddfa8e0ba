import { ADDRESS_LIFE_SECONDS, exportPath } from '#shared/domain/exports/address.ts';
import { isForOwners, type Telling } from '#shared/domain/exports/changes.ts';
import type { AddressOf, ExportLedger } from '#shared/domain/exports/export.ts';
import { isOwner, type User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { listUsers } from '#shared/store/users.ts';

/** Where archives are had from now on for a week. */
export async function loadAddresses({ table, clock }: Services): Promise<AddressOf> {
  const { url } = await getOrganization(table);
  const untilSeconds = toSeconds(clock.nowMs()) + ADDRESS_LIFE_SECONDS;
  return (one) => `${url}${exportPath(one, untilSeconds)}`;
}

/** The same for one administrator: archives that only owners may have are nowhere for others. */
export async function loadAddressesFor(services: Services, viewer: User): Promise<AddressOf> {
  const addressOf = await loadAddresses(services);
  return (one) => (isForOwners(one) && !isOwner(viewer) ? null : addressOf(one));
}

/** How a change of exports is told. Everybody is read only where there are archives for owners only. */
export async function loadTelling(services: Services, { exports }: ExportLedger): Promise<Telling> {
  const users = exports.some(isForOwners) ? await listUsers(services.table) : [];
  const ownerIds = users.filter((user) => isOwner(user)).map(({ userId }) => userId);
  return { addressOf: await loadAddresses(services), ownerIds };
}
