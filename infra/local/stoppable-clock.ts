import type { Clock } from '#shared/runtime/clock.ts';

export interface StoppableClock extends Clock {
  /** From now on no sleeper wakes by time. */
  stop(): void;
}

/**
 * The system clock for one run of the service. Stopping it ends open long polls with the service: they sleep
 * forever and hold no timer that would keep the process alive.
 */
export function createStoppableClock(): StoppableClock {
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;
  return {
    nowMs: () => Date.now(),
    sleep: (delayMs, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        if (isStopped) return;
        const wake = () => {
          clearTimeout(timer);
          timers.delete(timer);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, delayMs);
        timers.add(timer);
        signal?.addEventListener('abort', wake, { once: true });
      }),
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
