import type { DeclaredError } from '#shared/domain/errors.ts';
import type { ShapedEvent } from '#shared/events/shape.ts';
import type { ObservedEntry } from '../reply-page.ts';

/** API Gateway sends at most 128 KB at once. */
const MAX_BYTES = 120_000;
/** A client that sends more than this in one text is cut off. */
export const MAX_ASKED_BYTES = 4_096;
/** A client that misses more than this many texts gets it faster by polls. */
const MAX_TEXTS = 4;

/** Makes a client poll, and open another socket once it has everything. */
export const POLL_TEXT = JSON.stringify({ op: 'poll' });
export const PONG_TEXT = JSON.stringify({ op: 'pong' });

/** Gives a client the reason for the end of its socket, in the words of a poll's error. */
export const closedText = ({ message, code, fields }: DeclaredError): string =>
  JSON.stringify({ op: 'closed', code, msg: message, ...fields });

/** With the events that the client lacks up to a position; undefined where they are too large for one text. */
export function openedText(position: number, events: ShapedEvent[]): string | undefined {
  const text = JSON.stringify({ op: 'opened', position, events });
  return Buffer.byteLength(text) > MAX_BYTES ? undefined : text;
}

/**
 * The events of a run of entries as texts that fit; undefined where they do not. With each text the client has
 * everything up to a position.
 */
export function eventTexts(observed: ObservedEntry[]): string[] | undefined {
  const pages: { position: number; events: ShapedEvent[]; bytes: number }[] = [];
  for (const { entry, events, isWhole } of observed) {
    const bytes = Buffer.byteLength(JSON.stringify(events));
    if (!isWhole || bytes > MAX_BYTES) return undefined;
    const page = pages.at(-1);
    if (page && page.bytes + bytes <= MAX_BYTES) {
      page.events.push(...events);
      page.bytes += bytes;
      page.position = entry.position;
    } else if (events.length > 0) pages.push({ position: entry.position, events: [...events], bytes });
  }
  if (pages.length > MAX_TEXTS) return undefined;
  return pages.map(({ position, events }) => JSON.stringify({ op: 'events', position, events }));
}
