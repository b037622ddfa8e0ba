import { BadEventQueueId } from '#shared/domain/errors.ts';
import { listEntries, readCounter } from '#shared/store/log.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';
import type { Table } from '#shared/table/table.ts';

/** Whoever is further behind registers again, which tells them everything. */
const MAX_POSITIONS_BEHIND = 2_000;

/**
 * What happened after a position, for whoever undoes it on state that was read before.
 * @throws BadEventQueueId where that is too much to be undone
 */
export async function listSince(table: Table, queueId: string, position: number): Promise<LogEntry[]> {
  const counter = await readCounter(table);
  if (counter - position > MAX_POSITIONS_BEHIND) throw new BadEventQueueId(queueId);
  return listEntries(table, position + 1, counter);
}
