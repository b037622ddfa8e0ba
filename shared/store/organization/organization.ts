import type { Organization } from '#shared/domain/organization/organization.ts';
import {
  defaultOrganizationGroups,
  defaultOrganizationSettings,
} from '#shared/domain/organization/settings.ts';
import type { Services } from '#shared/runtime/services.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

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

/** The time of the organization's deactivation, and the user who did it. */
export interface Closure {
  atSeconds: number;
  /** Absent once the data has been erased. */
  byUserId?: number;
  /** The time from which the data is erased; absent if it is kept permanently. */
  eraseAtSeconds?: number;
  /** The beginning of the erasure; from then on the organization cannot be reactivated. */
  erasingSinceSeconds?: number;
  /** The end of the erasure. This item is then the only one of the table. */
  erasedAtSeconds?: number;
  /** The table is being restored from a backup; until that has ended, it holds only a part. */
  restore?: unknown;
}

/** Whether the organization may be used, is deactivated, or was deleted. */
export type OrganizationState = 'active' | 'deactivated' | 'deleted';

/** Undefined while the organization is active. One read. */
export const findClosure = async (
  table: Table,
  options: { eventually?: boolean } = {},
): Promise<Closure | undefined> =>
  (await table.find(organizationKeys.closure(), options)) as Closure | undefined;

/** Whether the table holds only a part of an organization, because a restore into it has not ended. Half a read unit. */
export const isBeingRestored = async (table: Table): Promise<boolean> =>
  (await findClosure(table, { eventually: true }))?.restore !== undefined;

/** The dependencies of the cached state: the table, the clock and the configuration. */
export type Remembering = Pick<Services, 'table' | 'clock' | 'config'>;

/** Each function caches this for a while. */
const known = new WeakMap<Table, { state: OrganizationState; untilMs: number }>();

/** The state of the organization. Half a read unit every few seconds, because it need not be exact. */
export async function organizationState(services: Remembering): Promise<OrganizationState> {
  const remembered = known.get(services.table);
  if (remembered && services.clock.nowMs() < remembered.untilMs) return remembered.state;
  return rememberState(services, stateOf(await findClosure(services.table, { eventually: true })));
}

function stateOf(closure: Closure | undefined): OrganizationState {
  if (!closure) return 'active';
  return closure.erasingSinceSeconds === undefined ? 'deactivated' : 'deleted';
}

/** Whether the organization is deactivated or deleted. Costs as much as its state. */
export const isClosed = async (services: Remembering): Promise<boolean> =>
  (await organizationState(services)) !== 'active';

/** Whether the data of the organization was erased, or is being erased. Costs as much as its state. */
export const isDeleted = async (services: Remembering): Promise<boolean> =>
  (await organizationState(services)) === 'deleted';

/** Caches what this process has learned. */
export function rememberState(
  { table, clock, config }: Remembering,
  state: OrganizationState,
): OrganizationState {
  known.set(table, { state, untilMs: clock.nowMs() + config.closureMemoryMs });
  return state;
}
