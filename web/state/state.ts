import type { Snapshot } from './wire.ts';
import type { EventOf, WireType } from './wire-events.ts';

/** How a message calls on the reader: by name, by a wildcard, or so that the service counted it. */
export type Call = 'name' | 'wildcard' | 'counted';

/** The reply of register with the later events applied. Never changed in place. */
export interface State {
  readonly server: Snapshot;
  /** The messages known to call on the reader. Register names the unread ones only, and not how they call. */
  readonly calls: ReadonlyMap<number, Call>;
}

/** Applies an event to a state; returns the same object if nothing changes. */
export type Apply<Event> = (state: State, event: Event) => State;

/** Reducers of a part, by event type. Events are trusted to match the protocol. */
export type Reducers = { [Type in WireType]: Apply<EventOf<Type>> };

/** The state that a reply of register begins. */
export function stateOf(snapshot: Snapshot): State {
  const calls = (snapshot.unread_msgs?.mentions ?? []).map((id): [number, Call] => [id, 'counted']);
  return { server: snapshot, calls: new Map(calls) };
}

/** A reducer of the reply of register. */
export function onServer<Event>(apply: (server: Snapshot, event: Event) => Snapshot): Apply<Event> {
  return (state, event) => {
    const server = apply(state.server, event);
    return server === state.server ? state : { ...state, server };
  };
}
