import { ApiError, sleep } from '../api.ts';
import { type Connection, connection } from '../store.ts';

/** The queue or the session has ended. */
export class QueueOver extends Error {
  override readonly name = 'QueueOver';
}

const LONGEST_PAUSE_MS = 60_000;

/** Ends the request under way. */
let asking: AbortController | undefined;
/** Ends the pause before the next request. */
let pausing: AbortController | undefined;
let lastSignOfLife = Date.now();

/** Ends a pause before the next try. A try under way goes its way: on a slow network, repeated ones would never end. */
export const tryNow = (): void => pausing?.abort();

/** Tries again at once; a request under way may be dead without a sign, and is left. */
export function startOver(): void {
  asking?.abort();
  tryNow();
}

/** The service was heard. */
export function noteLife(): void {
  lastSignOfLife = Date.now();
  if (connection.value.status !== 'connected') connection.value = { status: 'connected' };
}

/** For how long the service was not heard. */
export const silentMs = (): number => Date.now() - lastSignOfLife;

/**
 * Calls until an answer comes, with growing pauses while the service cannot be reached. Undefined where `until` ended it.
 * @throws QueueOver
 */
export async function patiently<Answer>(
  request: (signal: AbortSignal) => Promise<Answer>,
  until: AbortSignal,
): Promise<Answer | undefined> {
  for (let failures = 0; !until.aborted; ) {
    const waking = new AbortController();
    asking = waking;
    try {
      const answer = await request(AbortSignal.any([waking.signal, until]));
      noteLife();
      return answer;
    } catch (failure) {
      if (failure instanceof ApiError && (failure.status === 401 || failure.code === 'BAD_EVENT_QUEUE_ID'))
        throw new QueueOver('The queue is over.');
      if (until.aborted) break;
      if (waking.signal.aborted) connection.value = { status: 'trying' };
      else await pause(++failures, failure, until);
    }
  }
  return undefined;
}

async function pause(failures: number, failure: unknown, until: AbortSignal): Promise<void> {
  const asked = failure instanceof ApiError ? failure.retryAfterMs : 0;
  const grown = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures);
  const pauseMs = Math.max(asked, grown * (0.5 + Math.random() / 2));
  // One lost poll is nothing to speak of, unless the browser itself says that there is no network.
  if (failures > 1 || asked > 0 || !navigator.onLine)
    connection.value = { status: 'waiting', nextTryAtMs: Date.now() + pauseMs, reason: reasonOf(failure) };
  pausing = new AbortController();
  await sleep(pauseMs, AbortSignal.any([pausing.signal, until]));
  if (connection.value.status === 'waiting') connection.value = { status: 'trying' };
}

function reasonOf(failure: unknown): NonNullable<Connection['reason']> {
  if (!(failure instanceof ApiError)) return 'unreachable';
  return failure.status === 429 ? 'busy' : 'broken';
}
