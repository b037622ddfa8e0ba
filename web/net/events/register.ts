import { batch } from '@preact/signals';
import { emptyCache } from '#web/state/cache.ts';
import { type Follower, followFrom } from '#web/state/event-socket/follower.ts';
import { stateOf } from '#web/state/state.ts';
import type { Snapshot } from '#web/state/wire.ts';
import { call, readReply, session } from '../api.ts';
import { REGISTRATION, takeFirstReply } from '../first-register.ts';
import { fetchShown } from '../pages.ts';
import { cache, generation, state } from '../store.ts';

/** Where sockets of a queue are opened, and what opens them. */
export interface Grant {
  url: string;
  token: string;
}

interface Registered extends Snapshot {
  queue_id: string;
  last_event_id: number;
  event_socket?: Grant;
}

export interface Queue {
  id: string;
  /** Absent if the service has no sockets. */
  grant: Grant | undefined;
  /** Replaced by each reply and text about the queue. */
  follower: Follower;
}

/** The queue of now; messages that are sent name it. */
export let queueId = '';

/** Starts from the service's current state; changes nothing after `signal` aborts. */
export async function register(signal: AbortSignal): Promise<Queue> {
  const reply = await askToRegister(signal);
  const known = state.value?.server.user_id;
  // Another page has signed in as somebody else: nothing of the account before is left on this one.
  if (known !== undefined && known !== reply.user_id) location.reload();
  // Data fetched under an old queue may have missed changes; the visible feed is fetched again before the old one goes.
  const kept = state.value ? await fetchShown() : undefined;
  signal.throwIfAborted();
  queueId = reply.queue_id;
  batch(() => {
    session.value = 'in';
    state.value = stateOf(reply);
    cache.value = kept ?? emptyCache;
    generation.value = Symbol();
  });
  return { id: reply.queue_id, grant: reply.event_socket, follower: followFrom(reply.last_event_id) };
}

async function askToRegister(signal: AbortSignal): Promise<Registered> {
  const early = takeFirstReply();
  const reply = early && (await early);
  if (reply) return readReply<Registered>(reply);
  return call<Registered>('POST', '/register', REGISTRATION, { tries: 1, signal });
}
