import { channelReducers } from './channels.ts';
import { groupReducers } from './groups.ts';
import { messageReducers } from './messages.ts';
import { organizationReducers, recountRights } from './organization.ts';
import { ownReducers } from './own.ts';
import { peopleReducers } from './people.ts';
import type { Apply, Reducers, State } from './state.ts';
import { topicReducers } from './topics.ts';
import { recountUnread } from './unread.ts';
import type { WireEvent } from './wire-events.ts';

const reducers: Reducers = {
  ...channelReducers,
  ...groupReducers,
  ...messageReducers,
  ...organizationReducers,
  ...ownReducers,
  ...peopleReducers,
  ...topicReducers,
};

/** Whether the client knows what to do with events of this type. */
export const isKnownType = (type: string): boolean => Object.hasOwn(reducers, type);

/**
 * The state after an event. Pure: parts that an event does not touch stay the same objects. Unknown types change nothing.
 * @throws Error if the event names a record that the state should know and does not
 */
export const applyEvent = (state: State, event: WireEvent): State => applyEvents(state, [event]);

/** The state after some events, with its numbers computed once at the end. */
export function applyEvents(state: State, events: WireEvent[]): State {
  return recount(state, events.reduce(reduce, state));
}

/** Newer services may send types that the client does not know. */
function reduce(state: State, event: WireEvent): State {
  // The reducer of the event's own type takes it.
  const apply = reducers[event.type] as Apply<WireEvent> | undefined;
  return apply?.(state, event) ?? state;
}

const COUNTED = ['unread_msgs', 'subscriptions', 'unsubscribed', 'user_topics'] as const;
const RIGHTS = ['realm_user_groups', 'realm_enable_spectator_access'] as const;

/** What follows from other parts of the state. */
function recount(before: State, after: State): State {
  if (before === after) return after;
  const [old, now] = [before.server, after.server];
  const isRealmChanged = Object.keys(now).some(
    (name) => name.startsWith('realm_can_') && !Object.is(Reflect.get(old, name), Reflect.get(now, name)),
  );
  let next = after;
  if (isRealmChanged || RIGHTS.some((name) => old[name] !== now[name]))
    next = { ...next, server: recountRights(now) };
  if (before.calls !== after.calls || COUNTED.some((name) => old[name] !== now[name]))
    next = recountUnread(next);
  return next;
}
