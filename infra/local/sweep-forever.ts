import { sweep } from '#functions/workers/sweep.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import { type Around, justRun } from './around.ts';

/** Sweeps, and removes what has expired from the table, until the clock ends. */
export async function sweepForever(
  services: Services,
  intervalMs: number,
  { around = justRun, table }: { around?: Around | undefined; table?: SqliteTable | undefined } = {},
): Promise<void> {
  for (;;) {
    await around('sweep', () => sweep(services)).catch((failure) =>
      logLine('error', 'The sweep failed', describeFailure(failure)),
    );
    await table
      ?.removeExpired()
      .catch((failure) => logLine('error', 'Removing what has expired failed', describeFailure(failure)));
    await services.clock.sleep(intervalMs);
  }
}
