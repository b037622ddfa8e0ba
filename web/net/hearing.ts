import type { Snapshot, WireEvent } from '#web/state/wire.ts';

type Hearer = (event: WireEvent, before: Snapshot) => void;

const hearers = new Map<string, Set<Hearer>>();

/**
 * Hears events of a type after they changed the state, for what is not state: typing, notifications, lists that a page
 * asked for. Gives what ends it.
 */
export function hear(type: string, hearer: Hearer): () => void {
  const all = hearers.get(type) ?? new Set();
  hearers.set(type, all.add(hearer));
  return () => all.delete(hearer);
}

/** Tells the hearers; `before` is what was known before these events. */
export function hearEvents(events: WireEvent[], before: Snapshot): void {
  for (const event of events) for (const hearer of hearers.get(event.type) ?? []) hearer(event, before);
}
