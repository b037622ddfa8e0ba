import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type LogEntry, toCopy } from '#shared/store/log-entry.ts';

const HASH_DIGITS = 8;

/** From which copy of the tail a queue reads, by its id; 0 is the log itself. */
export const copyOf = (queueId: string, tailCopies: number): number =>
  Number.parseInt(queueId.slice(0, HASH_DIGITS), 16) % tailCopies;

/**
 * Writes what stands in the log to all copies of its tail. Only those may who know that it stands there: what is in a
 * copy has won its position.
 */
export async function copyEntry(services: Services, entry: LogEntry): Promise<void> {
  const copies = Array.from({ length: services.config.tailCopies - 1 }, (_, n) => n + 1);
  await Promise.all(copies.map((copy) => putCopy(services, copy, entry)));
}

/** Writes to one copy what it lacks of the log. */
export async function healCopy(services: Services, copy: number, entries: LogEntry[]): Promise<void> {
  await mapConcurrently(entries, (entry) => putCopy(services, copy, entry));
}

/** Best effort: readers find in the log what lacks in a copy. */
async function putCopy(services: Services, copy: number, entry: LogEntry): Promise<void> {
  try {
    await services.table.write({ kind: 'put', item: toCopy(entry, copy) });
  } catch (failure) {
    logLine('warn', 'A copy of the log could not be written; readers will', describeFailure(failure));
  }
}
