import type { Clock } from '#shared/runtime/clock.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';

/** What was changed longer ago has reached every replica. */
export const SETTLING_MS = 10_000;

/** Notes that messages change their places or go, so that for a moment nobody trusts a replica. */
export const rewritingWrite = (nowMs: number): Write => ({
  kind: 'put',
  item: { ...keys.lastRewriting(), atMs: nowMs },
});

/** Whether messages changed their places, or went, so lately that a replica may not know. One strongly consistent read. */
export async function wasJustRewritten(table: Table, clock: Pick<Clock, 'nowMs'>): Promise<boolean> {
  const item = await table.find(keys.lastRewriting());
  return item !== undefined && clock.nowMs() - Number(item.atMs) < SETTLING_MS;
}
