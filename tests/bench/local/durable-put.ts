import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { positionSortKey } from '#shared/table/keys/log.ts';
import { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import { percentile } from '../report.ts';

const PUTS = 100;
const GAP_MS = 20;
/** About the bytes of a log entry with a message of 200 characters. */
const ITEM_CHARACTERS = 900;

/** The median duration of one durable put, in a table in a file of its own. */
export async function measureDurablePutMs(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'puts-'));
  const table = new SqliteTable({ path: join(folder, 'puts.sqlite') });
  const text = 'x'.repeat(ITEM_CHARACTERS);
  const times: number[] = [];
  for (let n = 0; n < PUTS; n++) {
    const key = { pk: 'PUT', sk: positionSortKey(n) };
    const beganMs = performance.now();
    await table.write({ kind: 'put', item: { ...key, text } });
    times.push(performance.now() - beganMs);
    await pause(GAP_MS);
  }
  await table.close();
  await rm(folder, { recursive: true, force: true });
  return percentile(times, 0.5);
}
