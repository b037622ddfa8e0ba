import type { Clock } from '#shared/runtime/clock.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';

const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 200;

/** Background work, with the name and ids for logging its failures. */
export interface BackgroundWork {
  name: string;
  ids: Record<string, unknown>;
  run(): Promise<void>;
}

/**
 * Retries the work until it succeeds, at most six times within about six seconds; a signal ends it sooner.
 * Never rejects: failures are logged and left to the sweep.
 */
export async function runWithRetries(work: BackgroundWork, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && !signal.aborted; attempt++) {
    try {
      return await work.run();
    } catch (failure) {
      logLine('error', `${work.name} failed`, { ...work.ids, attempt, ...describeFailure(failure) });
    }
    if (attempt < MAX_ATTEMPTS) await clock.sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), signal);
  }
}
