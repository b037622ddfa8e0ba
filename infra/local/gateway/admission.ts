/** How many requests are handled at once, and how many wait. */
export interface AdmissionLimits {
  /** Requests handled at the same time. */
  places: number;
  /** Requests that wait for a place. */
  waiting: number;
  /** The total size of the bodies of waiting requests. */
  waitingBytes: number;
  /** Requests are refused after this time, when their clients are about to give up. */
  waitMs: number;
}

/**
 * One process gains nothing from more concurrency. Clients that would wait longer than ten seconds
 * get a refusal with a pause.
 */
export const REQUESTS: AdmissionLimits = {
  places: 32,
  waiting: 1_000,
  waitingBytes: 64 * 1024 * 1024,
  waitMs: 10_000,
};
/** Polls mostly wait for events, so they take no places from other requests. */
export const POLLS: AdmissionLimits = { ...REQUESTS, places: 2_000, waiting: 0 };

/** Hands the place to the next request; to be called once. */
export type Leave = () => void;

interface Waiter {
  bytes: number;
  sinceMs: number;
  admit(leave: Leave | undefined): void;
}

/**
 * Limits concurrent requests. Others wait in order of arrival; they are refused when too many wait, or after
 * waiting too long.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #waiters: Waiter[] = [];
  #taken = 0;
  #waitingBytes = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Resolves with a function that must be called to leave; undefined when the request is refused. */
  enter(bytes: number): Promise<Leave | undefined> {
    if (this.#taken < this.#limits.places) return Promise.resolve(this.#take());
    this.#refuseStale();
    const { waiting, waitingBytes } = this.#limits;
    if (this.#waiters.length >= waiting || this.#waitingBytes + bytes > waitingBytes)
      return Promise.resolve(undefined);
    this.#waitingBytes += bytes;
    return new Promise((admit) => {
      this.#waiters.push({ bytes, sinceMs: performance.now(), admit });
    });
  }

  #take(): Leave {
    this.#taken++;
    return () => {
      this.#taken--;
      this.#refuseStale();
      this.#next()?.admit(this.#take());
    };
  }

  #refuseStale(): void {
    const staleMs = performance.now() - this.#limits.waitMs;
    while ((this.#waiters[0]?.sinceMs ?? Number.POSITIVE_INFINITY) < staleMs) this.#next()?.admit(undefined);
  }

  #next(): Waiter | undefined {
    const waiter = this.#waiters.shift();
    if (waiter) this.#waitingBytes -= waiter.bytes;
    return waiter;
  }
}
