/** The only source of time. All code that waits or stamps takes a clock, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  nowMs(): number;
  /** Resolves after the delay, or at once when the signal aborts. Never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, delayMs);
      signal?.addEventListener('abort', done, { once: true });
    }),
};

/** Whole seconds, the unit of time on the wire. */
export const toSeconds = (ms: number): number => Math.floor(ms / 1000);
