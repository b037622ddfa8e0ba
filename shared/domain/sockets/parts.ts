import type { ConnectionPart } from './connection.ts';

/** The most parts that connections are dealt to. */
export const PARTS = 100;

/** A part that may have connections until some time. */
export interface KnownPart extends ConnectionPart {
  untilSeconds: number;
}

/**
 * The part for a new connection: the first one with room, so that the last ones empty by themselves when there are fewer
 * connections. If all are full, the one with the fewest.
 */
export function dealTo(known: KnownPart[], room: number): number {
  const countOf = (number: number): number => known.find((part) => part.number === number)?.count ?? 0;
  const numbers = Array.from({ length: PARTS }, (_, number) => number);
  return (
    numbers.find((number) => countOf(number) < room) ??
    numbers.reduce((least, number) => (countOf(number) < countOf(least) ? number : least), 0)
  );
}

/** All texts in a second: half of what API Gateway sends for an account. */
const TEXTS_PER_SECOND = 5_000;
/** Shorter than a pusher that works keeps its claim. */
const MAX_REST_MS = 4_000;
/** As often as Lambda reads the stream for a single pusher. */
const MIN_REST_MS = 250;

/** The time between two runs of each pusher, in which the log may grow, so that the gateway sends all of their texts. */
export const restMsOf = (connections: number): number =>
  Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, (1_000 * connections) / TEXTS_PER_SECOND));
