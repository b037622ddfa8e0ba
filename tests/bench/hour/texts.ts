import type { ShapedEvent } from '#shared/events/shape.ts';
import { mayWait, PATIENCE_MS } from '#shared/queues/socket/may-wait.ts';

/** The texts by which a socket would bring one client its events. */
export class Texts {
  readonly #userId: number;
  #sentCount = 0;
  #leftAtMs: number | undefined;

  constructor(userId: number) {
    this.#userId = userId;
  }

  /** Adds the events of one moment, after earlier ones. */
  add(events: ShapedEvent[], atMs: number): void {
    if (events.length === 0) return;
    if (this.#leftAtMs !== undefined && atMs - this.#leftAtMs >= PATIENCE_MS) this.#send();
    if (events.every((event) => mayWait(event, this.#userId))) this.#leftAtMs ??= atMs;
    else this.#send();
  }

  #send(): void {
    this.#sentCount++;
    this.#leftAtMs = undefined;
  }

  /** Includes one for the rest. */
  get count(): number {
    return this.#sentCount + (this.#leftAtMs === undefined ? 0 : 1);
  }
}
