import type { Snapshot, WireEvent } from '#web/state/wire.ts';

type Listener = (event: WireEvent, before: Snapshot) => void;

const listenersByType = new Map<string, Set<Listener>>();

/**
 * Calls the listener with events of a type after they changed the state, for uses outside the state: typing,
 * notifications, lists that a page fetched. Returns a function that stops this.
 */
export function onEvent(type: string, listener: Listener): () => void {
  const all = listenersByType.get(type) ?? new Set();
  listenersByType.set(type, all.add(listener));
  return () => all.delete(listener);
}

/** Notifies the listeners; `before` is the state before these events. */
export function notifyListeners(events: WireEvent[], before: Snapshot): void {
  for (const event of events)
    for (const listener of listenersByType.get(event.type) ?? []) listener(event, before);
}
