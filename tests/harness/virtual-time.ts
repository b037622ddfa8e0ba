import type { Clock } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';

const LOG = 'LOG#';

interface Sleeper {
  atMs: number;
  /** Sleepers of the same moment wake in the order in which they fell asleep. */
  order: number;
  wake(): void;
}

/**
 * Time that passes only while every actor sleeps: an hour takes as long as the work in it. Actors wake one at a time,
 * each when the one before sleeps again or has ended, so that a run is the same each time and everything consumed
 * between two wakings is one actor's.
 */
export class VirtualTime implements Clock {
  #nowMs: number;
  #order = 0;
  #awake = 0;
  readonly #sleepers: Sleeper[] = [];
  #settled = Promise.withResolvers<void>();
  #failure: unknown;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return this.sleepUntil(this.#nowMs + Math.max(0, delayMs), signal);
  }

  sleepUntil(atMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', wakeEarly);
        this.#awake++;
        resolve();
      };
      const sleeper = { atMs, order: this.#order++, wake };
      const wakeEarly = () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        wake();
      };
      if (signal?.aborted) return resolve();
      signal?.addEventListener('abort', wakeEarly);
      this.#sleepers.push(sleeper);
      this.#rest();
    });
  }

  /** Starts a function that sleeps on this clock and on no other; it runs until its first sleep at once. */
  async start(act: () => Promise<void>): Promise<void> {
    this.#settled = Promise.withResolvers();
    this.#awake++;
    act().then(
      () => this.#rest(),
      (failure) => {
        this.#failure ??= failure;
        this.#rest();
      },
    );
    await this.#settled.promise;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Lets time pass up to a moment, for a process that wakes before it. */
  async passUntil(atMs: number): Promise<void> {
    for (;;) {
      const next = this.#sleepers.sort((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
      if (!next || next.atMs > atMs) break;
      this.#sleepers.shift();
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#settled = Promise.withResolvers();
      next.wake();
      await this.#settled.promise;
      if (this.#failure !== undefined) throw this.#failure;
    }
    this.#nowMs = Math.max(this.#nowMs, atMs);
  }

  #rest(): void {
    this.#awake--;
    if (this.#awake === 0) this.#settled.resolve();
  }
}

/** Makes a service live in a time that passes only while a user waits; call it while nothing is running. */
export function liveIn(time: VirtualTime, { clock }: Services): void {
  clock.nowMs = () => time.nowMs();
  clock.sleep = (delayMs, signal) => time.sleep(delayMs, signal);
}

type Look = ReturnType<Services['table']['page']>;

/** Calls back at each look at the log's tail from now on, which `run` then does. */
export function watchLooks(
  { table }: Services,
  onLook: () => void,
  run = (look: () => Look): Look => look(),
): void {
  const page = table.page.bind(table);
  table.page = (query) => {
    if (!query.partition.startsWith(LOG) || query.index) return page(query);
    onLook();
    return run(() => page(query));
  };
}
