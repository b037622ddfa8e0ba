import { createHash } from 'node:crypto';
import type { Change } from '#shared/domain/change.ts';
import { pictureUrl } from '#shared/domain/pictures/picture.ts';
import type { Organization, OrganizationPicture } from './organization.ts';
import { organizationChange } from './organization-change.ts';

/** The picture of organizations without an upload: a Gravatar pattern of their address. */
function defaultUrl({ url }: Pick<Organization, 'url'>): string {
  const digest = createHash('md5').update(url).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon`;
}

export type PictureOwner = Pick<Organization, 'url' | 'pictures'>;

/** The full address of an organization's picture. */
export function organizationPictureUrl(organization: PictureOwner, kind: OrganizationPicture): string {
  const name = organization.pictures?.[kind];
  return name === undefined ? defaultUrl(organization) : organization.url + pictureUrl(name);
}

/** The address of a picture and whether it was uploaded, as in register and events. */
export function describePicture(organization: PictureOwner, kind: OrganizationPicture) {
  const unchanged = kind === 'icon' ? 'G' : 'D';
  return {
    [`${kind}_url`]: organizationPictureUrl(organization, kind),
    [`${kind}_source`]: organization.pictures?.[kind] === undefined ? unchanged : 'U',
  };
}

/** Sets a picture; without a name, resets it to the default. */
export function pictureChange(
  organization: Organization,
  kind: OrganizationPicture,
  name: string | undefined,
): Change {
  const { [kind]: _previous, ...others } = organization.pictures ?? {};
  const next = { ...organization, pictures: { ...others, ...(name !== undefined && { [kind]: name }) } };
  const data = describePicture(next, kind);
  return organizationChange(next, [{ type: 'realm', op: 'update_dict', property: kind, data }]);
}
