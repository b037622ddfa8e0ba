import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';
import type { Snapshot } from '#web/state/wire.ts';
import { snapshot } from '../../scene.ts';
import { fakeTimeouts, load, openStillPage } from '../still-page.ts';

const [follow, store, api] = await load('#web/net/events/follow.ts', '#web/net/store.ts', '#web/net/api.ts');

/** More than any chain of promises in the client takes between two things that it waits for. */
const ROUNDS = 5;

/** Lets the client do all that needs no time. */
async function rest(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await setImmediate();
}

/** The error of the service for an expired queue. */
export const QUEUE_GONE = { result: 'error', msg: 'Bad', code: 'BAD_EVENT_QUEUE_ID' };

interface Call {
  call: string;
  params: Record<string, string>;
}

/** A poll of the first queue that waits for events after a given one. */
export const waitsFor = (lastEventId: number): Call => ({
  call: 'GET /events',
  params: { queue_id: 'first', last_event_id: `${lastEventId}` },
});

/** A poll that returns at once. */
export const looksFor = (lastEventId: number): Call => {
  const { call, params } = waitsFor(lastEventId);
  return { call, params: { ...params, dont_block: 'true' } };
};

/** A socket that the page opened; the test holds its other end. */
export class Socket {
  readonly url: string;
  readonly sent: unknown[] = [];
  isClosed = false;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor(url: URL) {
    this.url = url.href;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.isClosed = true;
  }

  /** The connection is open. */
  async open(): Promise<void> {
    this.onopen?.();
    await rest();
  }

  /** The connection ends from the other side. */
  async cut(): Promise<void> {
    this.onclose?.();
    await rest();
  }

  async deliver(text: object): Promise<void> {
    this.onmessage?.({ data: JSON.stringify(text) });
    await rest();
  }
}

/** A page that follows the events of a service. Calls wait until the test answers them, and time passes when it says so. */
export class Tab {
  readonly sockets: Socket[] = [];
  readonly #page = openStillPage({});
  #open: (Call & { settle: PromiseWithResolvers<Response> })[] = [];
  #following: Promise<void>;

  /** Opens the page and follows the events. */
  constructor() {
    const { sockets } = this;
    vi.stubGlobal('fetch', (target: string, init: RequestInit) => this.#fetch(target, init));
    vi.stubGlobal(
      'WebSocket',
      class extends Socket {
        constructor(url: URL) {
          super(url);
          sockets.push(this);
        }
      },
    );
    fakeTimeouts();
    api.session.value = 'unknown';
    store.state.value = undefined;
    this.#following = follow.followEvents();
  }

  #fetch(target: string, { method = 'GET', body, signal }: RequestInit): Promise<Response> {
    const { pathname, searchParams } = new URL(target, 'https://chat.example.com');
    const settle = Promise.withResolvers<Response>();
    const params = Object.fromEntries(body instanceof URLSearchParams ? body : searchParams);
    const call = { call: `${method} ${pathname.replace('/api/v1', '')}`, params, settle };
    this.#open.push(call);
    const end = () => {
      this.#open = this.#open.filter((other) => other !== call);
      settle.reject(signal?.reason);
    };
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
    return settle.promise;
  }

  get nowMs(): number {
    return this.#page.nowMs();
  }

  /** The state of the network in the browser. */
  get navigator(): { onLine: boolean } {
    return this.#page.navigator;
  }

  /** The calls that wait for an answer, the oldest first. */
  get asked(): Call[] {
    return this.#open.map(({ call, params }) => ({ call, params }));
  }

  /** Answers the oldest call. */
  async answer(body: object, status = 200, headers: Record<string, string> = {}): Promise<void> {
    this.#open.shift()?.settle.resolve(Response.json(body, { status, headers }));
    await rest();
  }

  /** Answers the call to register. */
  answerRegister(more: object = {}, known: Partial<Snapshot> = {}): Promise<void> {
    return this.answer({ ...snapshot(known), queue_id: 'first', last_event_id: 10, ...more });
  }

  /** The oldest call finds no service. */
  async lose(): Promise<void> {
    this.#open.shift()?.settle.reject(new TypeError('fetch failed'));
    await rest();
  }

  /** Lets time pass, with all that the client does meanwhile. */
  async pass(ms: number): Promise<void> {
    await rest();
    await this.#page.pass(ms);
    await rest();
  }

  /** The computer sleeps: its clock advances, and no timer fires. */
  async sleep(ms: number): Promise<void> {
    vi.setSystemTime(this.nowMs + ms - 5_000);
    await this.pass(5_000);
  }

  /** Something happens to the window, as that the network comes or goes. */
  async happen(type: string): Promise<void> {
    this.#page.window.dispatchEvent(new Event(type));
    await rest();
  }

  /** The page is hidden, or seen again. */
  async show(isSeen: boolean): Promise<void> {
    this.#page.document.hidden = !isSeen;
    this.#page.document.dispatchEvent(new Event('visibilitychange'));
    await rest();
  }

  /** Follows the events again. */
  followAgain(): Promise<void> {
    this.#following = follow.followEvents();
    return this.#following;
  }

  /** Comes when the page follows no events any more. */
  get over(): Promise<void> {
    return this.#following;
  }

  /** The viewer is signed out. */
  async signOut(): Promise<void> {
    api.session.value = 'out';
    await this.#following;
  }

  async close(): Promise<void> {
    await this.signOut();
    this.#page.close();
  }
}
