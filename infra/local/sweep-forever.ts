import { sweep } from '#functions/workers/sweep.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { justRun } from './around.ts';

/** Ends with the clock. */
export async function sweepForever(services: Services, intervalMs: number, around = justRun): Promise<void> {
  for (;;) {
    await around('sweep', () => sweep(services)).catch((failure) =>
      logLine('error', 'The sweep failed', describeFailure(failure)),
    );
    await services.clock.sleep(intervalMs);
  }
}
