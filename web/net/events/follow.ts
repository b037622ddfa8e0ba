import { batch } from '@preact/signals';
import { applyEvents } from '#web/state/apply.ts';
import { applyToCache } from '#web/state/cache.ts';
import {
  afterPoll,
  afterText,
  beginSocket,
  endSocket,
  type Heard,
  progressOf,
} from '#web/state/event-socket/follower.ts';
import { countFailures, pauseBeforeSocket, type Spell } from '#web/state/event-socket/pauses.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import { call, session, sleep, unreachable } from '../api.ts';
import { notifyListeners } from '../hearing.ts';
import { watchStart } from '../offline/start.ts';
import { cache, connection, interruption, state } from '../store.ts';
import { noteLife, patiently, QueueOver, silentMs, startOver } from './patience.ts';
import { type Grant, type Queue, register } from './register.ts';
import { EventSocket } from './socket.ts';
import { watchForWaking } from './waking.ts';

/** Longer than the service lets a poll wait. */
const POLL_MS = 95_000;
/** While a socket takes longer to open, the client polls. */
const ALONE_MS = 3_000;
/** A page that is shown again after this much silence checks its connection. */
const SILENT_MS = 40_000;

let following = new AbortController();
let socketOfNow: EventSocket | undefined;

/** Registers and follows the events until the session ends. Called once for a session. */
export async function followEvents(): Promise<void> {
  following.abort();
  const mine = new AbortController();
  following = mine;
  const stops = [
    watchForWaking(lookAtOnce, () => {
      if (silentMs() > SILENT_MS) (socketOfNow ? checkSocket : startOver)();
    }),
    watchStart(),
    unreachable.subscribe(checkSocket),
    session.subscribe((value) => value === 'out' && mine.abort()),
  ];
  try {
    while (!mine.signal.aborted) await followQueue(mine.signal);
  } finally {
    for (const stop of stops) stop();
  }
}

/** What waits for events may be dead without knowing: it is left, and the service is asked. */
function lookAtOnce(): void {
  socketOfNow?.leave();
  startOver();
}

/** Checks that the socket still delivers events. */
export const checkSocket = (): void => socketOfNow?.check();

async function followQueue(until: AbortSignal): Promise<void> {
  try {
    const queue = await patiently(register, until);
    if (queue) await follow(queue, until);
  } catch (failure) {
    if (!(failure instanceof QueueOver)) throw failure;
  }
}

/** Follows the queue by socket if the service has sockets, and by polls otherwise and between two sockets. */
async function follow(queue: Queue, until: AbortSignal): Promise<void> {
  if (!queue.grant) return pollUntil(queue, until);
  for (let failures = 0; !until.aborted; ) {
    const spell = await useSocket(queue, queue.grant, until);
    interruption.value = Symbol();
    // Registering again also shows whether the session has ended.
    if (spell.wasOpened && spell.ending.kind === 'refused') return;
    failures = countFailures(failures, spell);
    await catchUp(queue, until);
    const pauseMs = pauseBeforeSocket(failures, spell, Math.random());
    if (pauseMs > 0) await pollUntil(queue, AbortSignal.any([until, AbortSignal.timeout(pauseMs)]));
  }
}

/** Opens a socket and processes its texts until it ends. */
async function useSocket(queue: Queue, { url, token }: Grant, until: AbortSignal): Promise<Spell> {
  queue.follower = beginSocket(queue.follower);
  const socket = new EventSocket(
    url,
    (text) => {
      noteLife();
      return accept(queue, afterText(queue.follower, text));
    },
    (op) => JSON.stringify({ op, token, ...progressOf(queue.follower) }),
  );
  socketOfNow = socket;
  const leave = (): void => socket.leave();
  until.addEventListener('abort', leave);
  try {
    await sleep(ALONE_MS, socket.settled);
    await pollUntil(queue, AbortSignal.any([until, socket.settled]));
    return await socket.over;
  } finally {
    until.removeEventListener('abort', leave);
    leave();
    socketOfNow = undefined;
    queue.follower = endSocket(queue.follower);
  }
}

/** Polls, one call at a time. */
async function pollUntil(queue: Queue, until: AbortSignal): Promise<void> {
  while (!until.aborted)
    await patiently((signal) => poll(queue, connection.value.status === 'connected', signal), until);
}

/** Polls until there is nothing more. */
async function catchUp(queue: Queue, until: AbortSignal): Promise<void> {
  for (let count: number | undefined = 1; count; )
    count = await patiently((signal) => poll(queue, false, signal), until);
}

/** Processes the events of one poll and returns their number. */
async function poll(queue: Queue, mayWait: boolean, signal: AbortSignal): Promise<number> {
  const params = {
    queue_id: queue.id,
    last_event_id: queue.follower.lastEventId,
    ...(!mayWait && { dont_block: true }),
  };
  const options = { tries: 1, timeoutMs: POLL_MS, signal };
  const { events } = await call<{ events: WireEvent[] }>('GET', '/events', params, options);
  accept(queue, afterPoll(queue.follower, events));
  return events.length;
}

function accept(queue: Queue, heard: Heard): Heard {
  queue.follower = heard.follower;
  if (heard.events.length > 0) take(heard.events);
  return heard;
}

/** Applies events to the state. An event that does not fit the state is skipped and logged to the console. */
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
  notifyListeners(events, before.server);
}
