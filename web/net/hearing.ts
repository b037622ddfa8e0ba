import type { Snapshot } from '#web/state/wire.ts';
import type { EventOf, WireEvent, WireType } from '#web/state/wire-events.ts';

type Listener<Type extends WireType> = (event: EventOf<Type>, before: Snapshot) => void;

const listeners: { [Type in WireType]?: Set<Listener<Type>> } = {};

/**
 * Calls the listener with events of a type after they changed the state, for uses outside the state: typing,
 * notifications, lists that a page fetched. Returns a function that stops this.
 */
export function onEvent<Type extends WireType>(type: Type, listener: Listener<Type>): () => void {
  const all: Set<Listener<Type>> = listeners[type] ?? new Set();
  Object.assign(listeners, { [type]: all.add(listener) });
  return () => all.delete(listener);
}

/** Notifies the listeners; `before` is the state before these events. */
export function notifyListeners(events: WireEvent[], before: Snapshot): void {
  for (const event of events) {
    // The listeners of the event's own type take it.
    const all = listeners[event.type] as Set<Listener<WireType>> | undefined;
    for (const listener of all ?? []) listener(event, before);
  }
}
