import type { Services } from '#shared/runtime/services.ts';
import { findEntry, readLowWaterMark } from '#shared/store/log/log.ts';
import { type LogEntry, noOpEntry, toEntry, toItem } from '#shared/store/log/log-entry.ts';
import { blockOf, lastOfBlock, logPartitions, positionSortKey } from '#shared/table/keys/log.ts';
import { ConditionFailed, type Table } from '#shared/table/table.ts';
import { retryConflicts } from './commit.ts';

/** Entries that a reader still needs have expired, because no queue lives that long. */
export class LogExpired extends Error {}

/** This close to the end of a block, the next positions may be in the next block while these are holes. */
const BLOCK_EDGE = 100;

/** The most entries of one read, whose objects a small function has to hold at once. */
const ENTRIES_AT_ONCE = 250;

/** Near the end of a block: whether a read covers the rest of it, the start of the next one, or both. */
export type Reach = 'rest' | 'next' | 'both';

/**
 * The contiguous entries after a position, in order; empty when there are none yet. Readers never pass a
 * hole: a hole older than the grace period is sealed, a younger one ends the run. A read that finds nothing
 * costs one query, or two near the end of a block with a reach of both.
 * @throws LogExpired when entries after the position have expired
 */
export async function readRun(services: Services, after: number, reach: Reach = 'both'): Promise<LogEntry[]> {
  const found = await readBlock(services.table, after, reach);
  const run: LogEntry[] = [];
  for (const entry of found) {
    let next = after + run.length + 1;
    while (next < entry.position) {
      const filled = await fillHole(services, next, entry.atMs);
      if (!filled) return run;
      run.push(filled);
      next++;
    }
    run.push(entry);
  }
  return run;
}

/** The result of one read after a position, holes included. */
async function readBlock(table: Table, after: number, reach: Reach): Promise<LogEntry[]> {
  const readStart = async (next: number): Promise<LogEntry[]> => {
    const { items } = await table.page({ partition: logPartitions.block(next), limit: BLOCK_EDGE });
    return items.map(toEntry);
  };
  const block = blockOf(after + 1);
  const edge = lastOfBlock(block) - BLOCK_EDGE;
  const ahead = after > edge && reach === 'next' ? await readStart(block + 1) : undefined;
  if (ahead?.length === 0) return [];
  const query = {
    partition: logPartitions.block(block),
    from: positionSortKey(after + 1),
    limit: ENTRIES_AT_ONCE,
  };
  const { items, more } = await table.page(query);
  const entries = items.map(toEntry);
  const isNearEdge = (entries.at(-1)?.position ?? after) > edge;
  const isIdle = entries.length === 0 && reach === 'rest';
  if (more || !isNearEdge || isIdle) return entries;
  return [...entries, ...(ahead ?? (await readStart(block + 1)))];
}

/**
 * Fills a hole before an entry written at `laterAtMs`; undefined while its writer may still finish. There are
 * no holes below the low-water mark: the read was stale, or the entry has expired.
 */
async function fillHole(
  services: Services,
  position: number,
  laterAtMs: number,
): Promise<LogEntry | undefined> {
  const isOld = services.clock.nowMs() - laterAtMs > services.config.sealGraceMs;
  if (!isOld) return undefined;
  if (position > (await readLowWaterMark(services.table))) return seal(services, position);
  const entry = await findEntry(services.table, position);
  if (!entry) throw new LogExpired();
  return entry;
}

/** Fills a hole with a conditional put, which alone decides the content for all readers. */
export async function seal(services: Services, position: number): Promise<LogEntry> {
  const entry = noOpEntry(position, services.clock.nowMs(), `${services.ids.writeId()}-seal`);
  try {
    const put = { kind: 'put', item: toItem(entry), condition: { exists: false } } as const;
    await retryConflicts(services, () => services.table.write(put));
    return entry;
  } catch (failure) {
    if (failure instanceof ConditionFailed && failure.existing) return toEntry(failure.existing);
    throw failure;
  }
}
