import type { Services } from '#shared/runtime/services.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';

/** The time of the organization's deactivation, and the user who did it. */
export interface Closure {
  atSeconds: number;
  byUserId: number;
  /** The table is being restored from a backup; until that has ended, it holds only a part. */
  restore?: unknown;
}

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
const known = new WeakMap<Table, { isClosed: boolean; untilMs: number }>();

/**
 * Whether the organization is deactivated. Half a read unit every few seconds, because it need not be exact.
 */
export async function isClosed(services: Remembering): Promise<boolean> {
  const remembered = known.get(services.table);
  if (remembered && services.clock.nowMs() < remembered.untilMs) return remembered.isClosed;
  const closure = await findClosure(services.table, { eventually: true });
  return rememberClosure(services, closure !== undefined);
}

/** Caches what this process has learned. */
export function rememberClosure({ table, clock, config }: Remembering, isNowClosed: boolean): boolean {
  known.set(table, { isClosed: isNowClosed, untilMs: clock.nowMs() + config.closureMemoryMs });
  return isNowClosed;
}
