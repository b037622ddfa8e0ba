import { signal } from '@preact/signals';
import { t } from '#web/texts/texts.ts';
import { noteServiceTime } from './service-clock.ts';

/** A refusal of the service, in its own words. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(wordsOf(status, body));
    this.status = status;
    this.code = typeof body.code === 'string' ? body.code : '';
    this.body = body;
  }

  /** The pause that the service requires, in milliseconds; 0 if it names none. */
  get retryAfterMs(): number {
    return (Number(this.body['retry-after']) || 0) * 1000;
  }
}

function wordsOf(status: number, body: Record<string, unknown>): string {
  const seconds = Math.ceil(Number(body['retry-after']));
  if (status === 429)
    return seconds > 1 ? t('actions.theServiceAsksForA', { seconds }) : t('actions.theServiceAsksForAShort');
  if (typeof body.msg === 'string') return body.msg;
  return status >= 500
    ? t('actions.theServiceHasAProblem')
    : t('actions.theServiceAnsweredStatus', { status });
}

/** No answer came: the network is gone, or the service. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** Another one after each call that got no answer. */
export const unreachable = signal(Symbol());

/** Whether the browser has a session: not known before the first answer. */
export const session = signal<'unknown' | 'in' | 'out'>('unknown');

/** Another one after each renewal of the session. */
let renewal = Symbol();

/**
 * Does what ends every session and gives this browser another one. A call that was under way may be refused for the ended
 * session; the browser stays signed in.
 * @throws the failure of the change
 */
export async function renewSession(change: () => Promise<unknown>): Promise<void> {
  await change();
  renewal = Symbol();
  if (session.value === 'out') session.value = 'unknown';
}

export type Params = Record<string, unknown>;
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface CallOptions {
  signal?: AbortSignal;
  /** Makes a repeat of a POST harmless, so that it is tried again like a read. */
  idempotencyKey?: string;
  /** How long one try may last. */
  timeoutMs?: number;
  /** How often a harmless call is tried in all. */
  tries?: number;
}

const TIMEOUT_MS = 30_000;
const TRIES = 4;
const LONGEST_SILENT_MS = 5_000;

/**
 * Calls the API under the session's cookie. Calls that may be repeated are tried again after a lost connection or a 5xx;
 * every call is tried again after 429 with a short pause.
 * @throws ApiError if the service refuses, Unreachable if no answer arrives
 */
export async function call<Reply = Params>(
  method: Method,
  path: string,
  params: Params = {},
  options: CallOptions = {},
): Promise<Reply> {
  const isHarmless = method === 'GET' || options.idempotencyKey !== undefined;
  const tries = options.tries ?? TRIES;
  for (let attempt = 1; ; attempt++) {
    try {
      return await callOnce<Reply>(method, path, params, options);
    } catch (failure) {
      const pauseMs = pauseAfter(failure, attempt, isHarmless);
      if (pauseMs === undefined || attempt >= tries) throw failure;
      await sleep(pauseMs, options.signal);
    }
  }
}

function pauseAfter(failure: unknown, attempt: number, isHarmless: boolean): number | undefined {
  const jittered = 400 * 2 ** attempt * (0.5 + Math.random());
  if (failure instanceof Unreachable) return isHarmless ? jittered : undefined;
  if (!(failure instanceof ApiError)) return undefined;
  // A longer pause is the person's to decide on.
  if (failure.status === 429)
    return failure.retryAfterMs <= LONGEST_SILENT_MS ? failure.retryAfterMs + jittered / 4 : undefined;
  return failure.status >= 500 && isHarmless ? jittered : undefined;
}

async function callOnce<Reply>(
  method: Method,
  path: string,
  params: Params,
  { signal: abort, idempotencyKey, timeoutMs = TIMEOUT_MS }: CallOptions,
): Promise<Reply> {
  const form = encodeParams(params);
  const isRead = method === 'GET';
  const query = isRead && form.size > 0 ? `?${form}` : '';
  const timeout = AbortSignal.timeout(timeoutMs);
  const renewalBefore = renewal;
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}${query}`, {
      method,
      ...(!isRead && { body: form }),
      credentials: 'same-origin',
      headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
      signal: abort ? AbortSignal.any([abort, timeout]) : timeout,
    });
  } catch (failure) {
    if (abort?.aborted) throw failure;
    unreachable.value = Symbol();
    throw new Unreachable(t('actions.theServiceCannotBeReached'), { cause: failure });
  }
  return readReply<Reply>(response, renewalBefore);
}

/** Reads a reply of the API, to a call that was made after a renewal of the session. */
export async function readReply<Reply>(response: Response, renewalBefore = renewal): Promise<Reply> {
  noteServiceTime(response.headers.get('date'));
  const body: Params = await response.json().catch(() => ({}));
  if (response.ok) return body as Reply;
  if (response.status === 401 && renewalBefore === renewal) session.value = 'out';
  const wait = response.headers.get('retry-after');
  throw new ApiError(response.status, wait === null ? body : { 'retry-after': Number(wait), ...body });
}

/** Strings are sent as they are, everything else as JSON; undefined values are left out. */
export function encodeParams(params: Params): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return form;
}

/** Waits; ends early, without failing, when the signal does. */
export function sleep(ms: number, abort?: AbortSignal): Promise<void> {
  if (abort?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, ms);
    abort?.addEventListener('abort', end);
  });
}

/** The sentence that the viewer reads about a failure. */
export const explain = (failure: unknown): string =>
  failure instanceof Error ? failure.message : t('actions.somethingWentWrong');
