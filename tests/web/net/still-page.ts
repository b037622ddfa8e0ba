import { afterEach, beforeEach, vi } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import type { Snapshot } from '#web/state/wire.ts';
import { snapshot } from '../scene.ts';
import { browser } from './page.ts';

const START_MS = Date.UTC(2026, 4, 4, 10);
const [store, hearing] = await load('#web/net/store.ts', '#web/net/hearing.ts');

/** A call of the page, and how long after its opening it came. */
interface Call {
  call: string;
  params: Record<string, string>;
  afterMs: number;
  /** The property that makes a repetition harmless, if it has one. */
  key?: string;
}

/** A page without a service, in a time of its own: nothing passes unless a test says so, and a test answers the calls. */
export interface StillPage {
  calls: Call[];
  window: EventTarget;
  document: EventTarget & { hidden: boolean; hasFocus: () => boolean };
  navigator: { onLine: boolean };
  location: { href: string; origin: string; pathname: string; hash: string };
  /** The next answers of the service. */
  answer: () => { status?: number; body: object };
  pass(ms: number): Promise<void>;
  nowMs(): number;
  /** Values of register change. */
  set(fields: object): void;
  /** Events come, and are not applied. */
  receive(...events: object[]): void;
  close(): void;
}

/** A page that opens with the reply of register before each test, and closes after it. */
export function useStillPage(fields: object = {}): StillPage {
  const page = {} as StillPage;
  beforeEach(() => void openStillPage(fields, page));
  afterEach(() => page.close());
  return page;
}

/** Opens the page with the reply of register. It knows no messages and shows no notice. */
export function openStillPage(fields: Partial<Snapshot>, page = {} as StillPage): StillPage {
  vi.useFakeTimers({
    now: START_MS,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
  const opened: StillPage = {
    calls: [],
    window: new EventTarget(),
    document: Object.assign(new EventTarget(), { hidden: false, hasFocus: () => true }),
    navigator: { onLine: true },
    location: {
      href: 'https://chat.example.com/',
      origin: 'https://chat.example.com',
      pathname: '/',
      hash: '',
    },
    answer: () => ({ body: {} }),
    pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)),
    nowMs: () => Date.now(),
    set: (changed) => {
      store.state.value = { server: { ...store.state.value.server, ...changed } };
    },
    receive: (...events) => hearing.notifyListeners(events, store.server.value),
    close: () => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
      forgetAll();
      store.state.value = undefined;
    },
  };
  Object.assign(page, opened);
  for (const name of ['window', 'document', 'navigator', 'location'] as const)
    vi.stubGlobal(name, page[name]);
  vi.stubGlobal('Element', class {});
  vi.stubGlobal('history', {
    pushState: (_state: unknown, _title: string, target: string) => {
      page.location.hash = target;
    },
  });
  vi.stubGlobal('fetch', async (target: string, { method = 'GET', body, headers = {} }: RequestInit = {}) => {
    const params = Object.fromEntries(body instanceof URLSearchParams ? body : []);
    page.calls.push({
      call: `${method} ${target.replace('/api/v1', '')}`,
      params,
      afterMs: Date.now() - START_MS,
      ...('Idempotency-Key' in headers && { key: headers['Idempotency-Key'] as string }),
    });
    const { status = 200, body: reply } = page.answer();
    // Read at once, since the time of the runtime does not pass.
    return Object.assign(new Response(null, { status }), { json: async () => reply });
  });
  forgetAll();
  store.state.value = { server: snapshot(fields) };
  return page;
}

/** Calls end for lack of an answer in the time of the page. */
export function fakeTimeouts(): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const timeout = new AbortController();
    setTimeout(() => timeout.abort(new DOMException('Too late', 'TimeoutError')), ms);
    return timeout.signal;
  });
}

function forgetAll(): void {
  store.cache.value = emptyCache;
  store.connection.value = { status: 'connected' };
  store.notices.value = [];
}

// biome-ignore lint/suspicious/noExplicitAny: a module of another program
type Module = any;

/**
 * Modules of the client, by their paths. Some listen to the window as they are loaded: to the one that all pages of this
 * process share.
 */
export async function load(...paths: string[]): Promise<Module[]> {
  for (const [name, value] of Object.entries(browser)) vi.stubGlobal(name, value);
  const loaded = await Promise.all(paths.map((path): Promise<Module> => import(path)));
  vi.unstubAllGlobals();
  return loaded;
}
