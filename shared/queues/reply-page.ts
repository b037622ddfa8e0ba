import type { ShapedEvent } from '#shared/events/shape.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { cursorOf } from './cursor.ts';
import type { Queue } from './queue.ts';

/**
 * The gateway limits replies to 6 MB of JSON that is encoded twice: quotes are escaped again, and a character
 * may take three bytes. With this limit there is room for one more event of any size.
 */
const MAX_CHARACTERS = 1_000_000;

/** The events of one reply, as many as fit; the next poll gets the rest. */
export class ReplyPage {
  readonly events: ShapedEvent[] = [];
  #characters = 0;

  get isFull(): boolean {
    return this.#characters >= MAX_CHARACTERS;
  }

  /** Adds events until the page is full. False when some did not fit. */
  add(events: ShapedEvent[]): boolean {
    for (const event of events) {
      if (this.isFull) return false;
      this.events.push(event);
      this.#characters += JSON.stringify(event).length;
    }
    return true;
  }
}

/** A log entry as one queue sees it. */
export interface ObservedEntry {
  entry: LogEntry;
  /** The events that the client does not have yet. */
  events: ShapedEvent[];
  /** False if the entry has more events. */
  isWhole: boolean;
  /** Whether more is likely to follow soon: it is a message, or a typing notification for the owner. */
  isTalk: boolean;
}

/** The events of one reply, and the queue after them. */
export interface Page {
  events: ShapedEvent[];
  queue: Queue;
}

/**
 * Fills a page with the events of the entries after the queue's cursor. The cursor passes entries without
 * events; those with events wait for the client's acknowledgement, because a reply may be lost.
 */
export async function takePage(queue: Queue, observed: AsyncIterable<ObservedEntry>): Promise<Page> {
  const page = new ReplyPage();
  let { activeMs } = queue;
  let position = cursorOf(queue);
  for await (const { entry, events, isWhole, isTalk } of observed) {
    // Each poll starts with the entry of the client's last event, so it computes the age of that again.
    if (isTalk) activeMs = Math.max(activeMs, entry.atMs);
    if (!page.add(events) || !isWhole) break;
    position = entry.position;
    if (page.isFull) break;
  }
  const { events } = page;
  const scannedPosition = events.length === 0 ? position : queue.scannedPosition;
  return { events, queue: { ...queue, activeMs, scannedPosition } };
}
