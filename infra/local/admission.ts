/** How many requests are answered at once, and how many wait for that. */
export interface AdmissionLimits {
  /** Requests that are answered at the same time. */
  places: number;
  /** Requests that wait for a place. */
  waiting: number;
  /** What the bodies of those that wait may come to. */
  waitingBytes: number;
  /** A request that has waited so long is refused: its client is about to give up. */
  waitMs: number;
}

/** Gives the place to the next request. */
export type Leave = () => void;

interface Waiter {
  bytes: number;
  sinceMs: number;
  admit(leave: Leave | undefined): void;
}

/**
 * Lets in as many requests as can be answered at once. Others wait in the order in which they came; those that are
 * too many, or have waited too long, are refused.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #waiters: Waiter[] = [];
  #taken = 0;
  #waitingBytes = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Resolves with what gives the place back, which must be called; with undefined for a request that is refused. */
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
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
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
    this.#waitingBytes -= waiter?.bytes ?? 0;
    return waiter;
  }
}
