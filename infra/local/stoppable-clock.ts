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
        const forget = () => {
          clearTimeout(timer);
          timers.delete(timer);
          signal?.removeEventListener('abort', wakeEarly);
        };
        // Of many that one thing wakes, each is done before the next begins.
        const wakeEarly = () => {
          forget();
          setImmediate(resolve);
        };
        const timer = setTimeout(() => {
          forget();
          resolve();
        }, delayMs);
        timers.add(timer);
        signal?.addEventListener('abort', wakeEarly);
      }),
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
