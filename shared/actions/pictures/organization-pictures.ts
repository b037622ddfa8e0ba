import type { OrganizationPicture } from '#shared/domain/organization/organization.ts';
import { pictureChange } from '#shared/domain/organization/pictures.ts';
import type { PictureShape } from '#shared/domain/pictures/fit.ts';
import { pictureFile } from '#shared/domain/pictures/picture.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { keepPicture } from './keep-picture.ts';

const LOGO: PictureShape = { width: 800, height: 100, fit: 'inside' };
const SHAPES: Record<OrganizationPicture, PictureShape> = {
  icon: { width: 100, height: 100, fit: 'cover' },
  logo: LOGO,
  night_logo: LOGO,
};

/** Sets a picture of the organization and notifies all users. @throws BadImage */
export async function setOrganizationPicture(
  services: Services,
  kind: OrganizationPicture,
  bytes: Uint8Array,
): Promise<void> {
  const organization = await getOrganization(services.table);
  await keepPicture(services, bytes, { [`-${kind.replace('_', '')}`]: SHAPES[kind] }, ([name]) =>
    commit(services, pictureChange(organization, kind, name)),
  );
  await dropPicture(services, organization.pictures?.[kind]);
}

/** Deletes the organization's picture; no effect without one. */
export async function removeOrganizationPicture(
  services: Services,
  kind: OrganizationPicture,
): Promise<void> {
  const organization = await getOrganization(services.table);
  if (organization.pictures?.[kind] === undefined) return;
  await commit(services, pictureChange(organization, kind, undefined));
  await dropPicture(services, organization.pictures[kind]);
}

async function dropPicture({ files }: Services, name: string | undefined): Promise<void> {
  if (name !== undefined) await files.remove(pictureFile(name));
}
