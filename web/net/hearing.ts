import type { Snapshot, WireEvent } from '#web/state/wire.ts';

type Listener = (event: WireEvent, before: Snapshot) => void;

const listenersByType = new Map<string, Set<Listener>>();

/**
 * Hears events of a type after they changed the state, for what is not state: typing, notifications, lists that a page
 * asked for. Gives what ends it.
 */
export function onEvent(type: string, listener: Listener): () => void {
  const all = listenersByType.get(type) ?? new Set();
  listenersByType.set(type, all.add(listener));
  return () => all.delete(listener);
}

/** Tells the hearers; `before` is what was known before these events. */
export function notifyListeners(events: WireEvent[], before: Snapshot): void {
  for (const event of events)
    for (const listener of listenersByType.get(event.type) ?? []) listener(event, before);
}
