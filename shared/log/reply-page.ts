import type { ShapedEvent } from '#shared/events/shape.ts';

/**
 * A reply of the gateway ends at 6 MB, written down as JSON twice: quotes are escaped again, and a character may take
 * three bytes. With this many characters there is room for one more event, however large.
 */
const MAX_CHARACTERS = 1_000_000;

/** The events of one reply, as many as fit. Those that do not are left to the next poll. */
export class ReplyPage {
  readonly events: ShapedEvent[] = [];
  #characters = 0;

  get isFull(): boolean {
    return this.#characters >= MAX_CHARACTERS;
  }

  /** Takes events until the page is full. False when some were left. */
  add(events: ShapedEvent[]): boolean {
    for (const event of events) {
      if (this.isFull) return false;
      this.events.push(event);
      this.#characters += JSON.stringify(event).length;
    }
    return true;
  }
}
