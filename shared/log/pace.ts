import type { Services } from '#shared/runtime/services.ts';

/** The more readers, the faster the log grows: with this pause a thousand of them read some 2 000 units a second. */
const REST_MS_PER_ENTRY_A_SECOND = 50;
const MAX_REST_MS = 1_000;
/** A measurement restarts after this time, so that a busy minute is soon forgotten. */
const MEASURED_MS = 5_000;

interface Seen {
  position: number;
  atMs: number;
}

const paces = new WeakMap<Services, LogPace>();

/** The pace of the log, which all polls measure that a process answers one after the other. */
export function paceOf(services: Services): LogPace {
  const pace = paces.get(services) ?? new LogPace();
  paces.set(services, pace);
  return pace;
}

/**
 * How fast the log grows. A reader that shares its looks with nobody rests the longer the faster it grows: each look then
 * brings several entries, and the partition of the newest ones bears a thousand readers.
 */
export class LogPace {
  #first: Seen | undefined;
  #entriesPerSecond = 0;

  /** Notes the newest position of the log at some time. */
  note(position: number, atMs: number): void {
    const ageMs = this.#first ? atMs - this.#first.atMs : Number.POSITIVE_INFINITY;
    if (!this.#first || ageMs > 2 * MEASURED_MS) this.#entriesPerSecond = 0;
    else if (ageMs >= 1_000) this.#entriesPerSecond = (1_000 * (position - this.#first.position)) / ageMs;
    if (ageMs >= MEASURED_MS) this.#first = { position, atMs };
  }

  /** The least time between two looks. */
  restMs(): number {
    return Math.min(MAX_REST_MS, REST_MS_PER_ENTRY_A_SECOND * this.#entriesPerSecond);
  }
}
