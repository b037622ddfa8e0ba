import type { Clock } from '#shared/runtime/clock.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import type { Table, Write } from '#shared/table/table.ts';

/** Changes older than this have reached every replica. */
export const SETTLING_MS = 10_000;

/** Records that messages are moved or deleted, so that readers avoid replicas for a moment. */
export const rewritingWrite = (nowMs: number): Write => ({
  kind: 'put',
  item: { ...logKeys.lastRewriting(), atMs: nowMs },
});

/**
 * Whether messages were moved or deleted so recently that a replica may not have it. One strongly consistent
 * read.
 */
export async function wasJustRewritten(table: Table, clock: Pick<Clock, 'nowMs'>): Promise<boolean> {
  const item = await table.find(logKeys.lastRewriting());
  return item !== undefined && clock.nowMs() - Number(item.atMs) < SETTLING_MS;
}
