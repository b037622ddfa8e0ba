import { batch } from '@preact/signals';
import { applyEvents } from '#web/state/apply.ts';
import { applyToCache, emptyCache } from '#web/state/cache.ts';
import { stateOf } from '#web/state/state.ts';
import type { Snapshot, WireEvent } from '#web/state/wire.ts';
import { ApiError, call, readReply, session, sleep } from './api.ts';
import { REGISTRATION, takeFirstReply } from './first-register.ts';
import { hearEvents } from './hearing.ts';
import { fetchShown } from './pages.ts';
import { type Connection, cache, connection, generation, state } from './store.ts';

interface Registered extends Snapshot {
  queue_id: string;
  last_event_id: number;
}

interface Queue {
  id: string;
  lastEventId: number;
}

/** The queue of now; messages that are sent name it. */
export let queueId = '';

/** Longer than the service lets a poll wait. */
const POLL_MS = 95_000;
const LONGEST_PAUSE_MS = 60_000;

let wake: AbortController | undefined;
let lastSignOfLife = Date.now();

/** Registers and follows the events until the session ends. Called once for a session. */
export async function followEvents(): Promise<void> {
  const stop = watchForWaking();
  try {
    while (session.value !== 'out') {
      const queue = await patiently(register);
      if (queue) await poll(queue);
    }
  } finally {
    stop();
  }
}

async function register(): Promise<Queue> {
  const reply = await askToRegister();
  // What was fetched under an old queue may have missed changes. What is on the screen is fetched anew before it goes.
  const kept = state.value ? await fetchShown() : undefined;
  queueId = reply.queue_id;
  batch(() => {
    session.value = 'in';
    state.value = stateOf(reply);
    cache.value = kept ?? emptyCache;
    generation.value += 1;
  });
  return { id: reply.queue_id, lastEventId: reply.last_event_id };
}

async function askToRegister(): Promise<Registered> {
  const early = takeFirstReply();
  if (early) {
    const response = await early.catch(() => undefined);
    // After an error of the service the call below asks once more.
    if (response && response.status < 500) return readReply<Registered>(response);
  }
  return call<Registered>('POST', '/register', REGISTRATION, { tries: 1 });
}

/** Polls, one call at a time, until the service has forgotten the queue. */
async function poll(queue: Queue): Promise<void> {
  while (session.value !== 'out') {
    const events = await patiently(() => takeEvents(queue));
    if (!events) return;
    const fresh = events.filter(({ id }) => id > queue.lastEventId);
    for (const { id } of fresh) queue.lastEventId = id;
    if (fresh.length > 0) take(fresh);
  }
}

async function takeEvents(queue: Queue): Promise<WireEvent[]> {
  wake = new AbortController();
  const params = {
    queue_id: queue.id,
    last_event_id: queue.lastEventId,
    ...(connection.value.status !== 'connected' && { dont_block: true }),
  };
  const reply = await call<{ events: WireEvent[] }>('GET', '/events', params, {
    tries: 1,
    timeoutMs: POLL_MS,
    signal: wake.signal,
  });
  return reply.events;
}

/** Changes the state by events. One that does not fit the state is left out and told to the console. */
function take(events: WireEvent[]): void {
  const before = state.value;
  if (!before) return;
  let next = before;
  try {
    next = applyEvents(before, events);
  } catch {
    for (const event of events)
      try {
        next = applyEvents(next, [event]);
      } catch (failure) {
        console.warn('An event did not fit the state', event.type, failure);
      }
  }
  batch(() => {
    state.value = next;
    cache.value = applyToCache(cache.value, events, next.server);
  });
  hearEvents(events, before.server);
}

/**
 * Calls until an answer comes, with growing pauses while the service cannot be reached. Undefined where the queue or the
 * session is no more.
 */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  for (let failures = 0; ; ) {
    try {
      const answer = await ask();
      if (connection.value.status !== 'connected') connection.value = { status: 'connected' };
      lastSignOfLife = Date.now();
      return answer;
    } catch (failure) {
      if (failure instanceof ApiError && (failure.status === 401 || failure.code === 'BAD_EVENT_QUEUE_ID'))
        return undefined;
      if (wake?.signal.aborted) {
        connection.value = { status: 'trying' };
        wake = undefined;
        continue;
      }
      failures += 1;
      await pause(failures, failure);
    }
  }
}

async function pause(failures: number, failure: unknown): Promise<void> {
  const asked = failure instanceof ApiError ? failure.retryAfterMs : 0;
  const grown = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures);
  const pauseMs = Math.max(asked, grown * (0.5 + Math.random() / 2));
  // One lost poll is nothing to speak of, unless the browser itself says that there is no network.
  if (failures > 1 || asked > 0 || !navigator.onLine)
    connection.value = { status: 'waiting', nextTryAtMs: Date.now() + pauseMs, reason: reasonOf(failure) };
  wake = new AbortController();
  await sleep(pauseMs, wake.signal);
  wake = undefined;
  if (connection.value.status === 'waiting') connection.value = { status: 'trying' };
}

function reasonOf(failure: unknown): NonNullable<Connection['reason']> {
  if (!(failure instanceof ApiError)) return 'unreachable';
  return failure.status === 429 ? 'busy' : 'broken';
}

/** Tries again at once. */
export const tryNow = (): void => wake?.abort();

const CHECK_MS = 5_000;
const ASLEEP_MS = 20_000;

/** A computer that slept, or is online again, asks at once: its connection may be dead without knowing. */
function watchForWaking(): () => void {
  let lastCheck = Date.now();
  const check = (): void => {
    const now = Date.now();
    if (now - lastCheck > ASLEEP_MS) tryNow();
    lastCheck = now;
  };
  const onVisible = (): void => {
    if (document.visibilityState === 'visible' && Date.now() - lastSignOfLife > 2 * ASLEEP_MS) tryNow();
  };
  const timer = setInterval(check, CHECK_MS);
  // A poll that waits does not notice that the network went.
  window.addEventListener('offline', tryNow);
  window.addEventListener('online', tryNow);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    clearInterval(timer);
    window.removeEventListener('offline', tryNow);
    window.removeEventListener('online', tryNow);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
