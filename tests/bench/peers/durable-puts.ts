import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { positionSortKey } from '#shared/table/keys/log.ts';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import { percentile } from '../report.ts';

const PUTS = 100;
const GAP_MS = 20;
const CALLERS = 8;
const MS_OF_CALLERS = 2_000;
/** About the bytes of a log entry with a message of 200 characters. */
const ITEM_CHARACTERS = 900;

/** How long one durable put of the table takes, and how many it makes in a second for eight callers. */
export interface DurablePuts {
  p50Ms: number;
  perSecond: number;
}

/** Measures a table in a file of its own. */
export async function measureDurablePuts(): Promise<DurablePuts> {
  const folder = await mkdtemp(join(tmpdir(), 'puts-'));
  const table = new SqliteTable({ path: join(folder, 'puts.sqlite') });
  const text = 'x'.repeat(ITEM_CHARACTERS);
  let count = 0;
  const put = async (): Promise<number> => {
    const key = { pk: 'PUT', sk: positionSortKey(count++) };
    const beganMs = performance.now();
    await table.write({ kind: 'put', item: { ...key, text } });
    return performance.now() - beganMs;
  };
  const times: number[] = [];
  for (let n = 0; n < PUTS; n++) {
    times.push(await put());
    await pause(GAP_MS);
  }
  const endMs = performance.now() + MS_OF_CALLERS;
  const before = count;
  const putUntilTheEnd = async (): Promise<void> => {
    while (performance.now() < endMs) await put();
  };
  await Promise.all(Array.from({ length: CALLERS }, putUntilTheEnd));
  const perSecond = (count - before) / (MS_OF_CALLERS / 1000);
  await table.close();
  await rm(folder, { recursive: true, force: true });
  return { p50Ms: percentile(times, 0.5), perSecond };
}
