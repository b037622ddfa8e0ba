import { setTimeout as pause } from 'node:timers/promises';

/** Keeps consumed capacity units below a rate, on average since the first of them. */
export class Pace {
  readonly #unitsPerSecond: number;
  readonly #nowMs: () => number;
  readonly #sleep: (ms: number) => Promise<unknown>;
  #startedMs: number | undefined;
  #units = 0;

  /** Without a rate nothing waits. */
  constructor(
    unitsPerSecond = Number.POSITIVE_INFINITY,
    nowMs: () => number = Date.now,
    sleep: (ms: number) => Promise<unknown> = pause,
  ) {
    this.#unitsPerSecond = unitsPerSecond;
    this.#nowMs = nowMs;
    this.#sleep = sleep;
  }

  /** Waits for a time, whatever the rate. */
  async rest(ms: number): Promise<void> {
    await this.#sleep(ms);
  }

  /** Waits until this many more units fit the rate. */
  async spend(units: number): Promise<void> {
    this.#startedMs ??= this.#nowMs();
    this.#units += units;
    const dueMs = this.#startedMs + (this.#units / this.#unitsPerSecond) * 1000;
    const waitMs = dueMs - this.#nowMs();
    if (waitMs > 0) await this.#sleep(waitMs);
  }
}
