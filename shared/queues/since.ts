import { BadEventQueueId } from '#shared/domain/errors.ts';
import { listEntries, readCounter } from '#shared/store/log/log.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import type { Table } from '#shared/table/table.ts';

/** Clients further behind register again and get the complete state. */
const MAX_POSITIONS_BEHIND = 2_000;

/**
 * The entries after a position, to be undone on state that was read before.
 * @throws BadEventQueueId when there are too many
 */
export async function listSince(table: Table, queueId: string, position: number): Promise<LogEntry[]> {
  const counter = await readCounter(table);
  if (counter - position > MAX_POSITIONS_BEHIND) throw new BadEventQueueId(queueId);
  return listEntries(table, position + 1, counter);
}
