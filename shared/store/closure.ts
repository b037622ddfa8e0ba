import { organizationKeys } from '#shared/table/organization-keys.ts';
import type { Table } from '#shared/table/table.ts';

/** That the organization is deactivated: since when, and who did it. */
export interface Closure {
  atSeconds: number;
  byUserId: number;
}

/** There while the organization is deactivated. One read. */
export const findClosure = async (
  table: Table,
  options: { eventually?: boolean } = {},
): Promise<Closure | undefined> =>
  (await table.find(organizationKeys.closure(), options)) as Closure | undefined;
