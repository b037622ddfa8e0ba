import type { Services } from '#shared/runtime/services.ts';
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

/** What is remembered of the organization lies by table, and ends by clock and configuration. */
export type Remembering = Pick<Services, 'table' | 'clock' | 'config'>;

/** Whether the organization is deactivated, as each function remembers it for a while. */
const known = new WeakMap<Table, { isClosed: boolean; untilMs: number }>();

/** Whether the organization is deactivated. Half a read unit every few seconds: no caller waits for it to be exact. */
export async function isClosed(services: Remembering): Promise<boolean> {
  const remembered = known.get(services.table);
  if (remembered && services.clock.nowMs() < remembered.untilMs) return remembered.isClosed;
  const closure = await findClosure(services.table, { eventually: true });
  return rememberClosure(services, closure !== undefined);
}

/** What this process has learned, which it believes for a while. */
export function rememberClosure({ table, clock, config }: Remembering, isNowClosed: boolean): boolean {
  known.set(table, { isClosed: isNowClosed, untilMs: clock.nowMs() + config.closureMemoryMs });
  return isNowClosed;
}
