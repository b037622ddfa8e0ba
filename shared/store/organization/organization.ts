import type { Organization } from '#shared/domain/organization/organization.ts';
import {
  defaultOrganizationGroups,
  defaultOrganizationSettings,
} from '#shared/domain/organization/settings.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { recordOf } from '#shared/table/record.ts';
import type { Item, Table } from '#shared/table/table.ts';

export async function findOrganization(table: Table): Promise<Organization | undefined> {
  const item = await table.find(organizationKeys.organization());
  return item && toOrganization(item);
}

/** Only settings and groups that differ from the defaults are stored. */
function toOrganization(item: Item): Organization {
  const organization = recordOf<Organization>(item);
  return {
    ...organization,
    settings: { ...defaultOrganizationSettings, ...organization.settings },
    groups: { ...defaultOrganizationGroups, ...organization.groups },
    revision: organization.revision ?? 0,
  };
}

/** The organization of this deployment. Bootstrap creates it; its absence is an operator's mistake. */
export async function getOrganization(table: Table): Promise<Organization> {
  const organization = await findOrganization(table);
  if (!organization) throw new Error('The organization does not exist: run the bootstrap first');
  return organization;
}

const urls = new WeakMap<Table, string>();

/** The address of the service. It is set with the organization, so a process reads it once. */
export async function getOrganizationUrl(table: Table): Promise<string> {
  const url = urls.get(table) ?? (await getOrganization(table)).url;
  urls.set(table, url);
  return url;
}
