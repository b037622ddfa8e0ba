import type { Snapshot, WireEvent } from './wire.ts';

/** How a message calls on the reader: by name, by a wildcard, or so that the service counted it. */
export type Call = 'name' | 'wildcard' | 'counted';

/** Everything that register told, kept true by the events that followed. Never changed in place. */
export interface State {
  readonly server: Snapshot;
  /** The messages known to call on the reader. Register names the unread ones only, and not how they call. */
  readonly calls: ReadonlyMap<number, Call>;
}

/** What an event makes of a state; the same object where it changes nothing. */
export type Apply<Event> = (state: State, event: Event) => State;

/** Reducers of a part, by the type of event. The events are what the protocol says that they are. */
export type Reducers = Record<string, Apply<WireEvent>>;

/** The state that a reply of register begins. */
export function stateOf(snapshot: Snapshot): State {
  const calls = (snapshot.unread_msgs?.mentions ?? []).map((id): [number, Call] => [id, 'counted']);
  return { server: snapshot, calls: new Map(calls) };
}

/** A reducer of what register told. */
export function onServer<Event>(apply: (server: Snapshot, event: Event) => Snapshot): Apply<WireEvent> {
  return (state, event) => {
    const server = apply(state.server, event as Event);
    return server === state.server ? state : { ...state, server };
  };
}
