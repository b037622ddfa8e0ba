import { vi } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { atFileEnd } from '#tests/harness/file-end.ts';
import type { TestService } from '#tests/harness/service.ts';

/**
 * The part of the web client that calls the service, without a screen: it runs in this process, with fakes of
 * the browser's functions. The program of the tests has no types of browsers, so its modules are loaded as `any`.
 */
const modules = {
  account: () => load('#web/net/account.ts'),
  api: () => load('#web/net/api.ts'),
  bots: () => load('#web/net/organization/bots.ts'),
  channels: () => load('#web/net/channel-actions.ts'),
  drafts: () => load('#web/net/drafts.ts'),
  emoji: () => load('#web/net/emoji.ts'),
  events: () => load('#web/net/events/follow.ts'),
  exports: () => load('#web/net/organization/exports.ts'),
  folders: () => load('#web/net/organization/folders.ts'),
  groups: () => load('#web/net/user-groups.ts'),
  invitations: () => load('#web/net/organization/invitations.ts'),
  manyPeople: () => load('#web/net/organization/many-people.ts'),
  matching: () => load('#web/net/matching.ts'),
  messages: () => load('#web/net/message-actions.ts'),
  notifying: () => load('#web/net/notifying.ts'),
  own: () => load('#web/net/own-settings.ts'),
  pages: () => load('#web/net/pages.ts'),
  presence: () => load('#web/net/presence.ts'),
  profileFields: () => load('#web/net/organization/profile-fields.ts'),
  queue: () => load('#web/net/events/register.ts'),
  reading: () => load('#web/net/reading.ts'),
  roster: () => load('#web/net/organization/roster.ts'),
  router: () => load('#web/net/router.ts'),
  sending: () => load('#web/net/sending.ts'),
  settings: () => load('#web/net/organization/settings.ts'),
  snippets: () => load('#web/net/snippets.ts'),
  store: () => load('#web/net/store.ts'),
  writing: () => load('#web/net/organization/writing.ts'),
};
type Name = keyof typeof modules;
// biome-ignore lint/suspicious/noExplicitAny: a module of another program
type Net = Record<Name, any>;

const load = (path: string) => import(path);

/** The browser's properties; the modules keep references to them, so that all pages of a process share them. */
export const browser = {
  window: Object.assign(new EventTarget(), { focus: () => undefined }),
  document: Object.assign(new EventTarget(), { visibilityState: 'visible', hasFocus: () => true }),
  localStorage: {} as Record<string, unknown>,
  location: { hash: '', pathname: '/test/', origin: '', href: '', assign: vi.fn() },
  history: {
    state: null as unknown,
    pushState: (state: unknown, _title: string, target: string) => goTo(state, target),
    replaceState: (state: unknown, _title: string, target = '') => goTo(state, target),
  },
  Element: class Element {},
};
const storage = {
  getItem: (key: string) => browser.localStorage[key] ?? null,
  setItem: (key: string, text: string) => {
    browser.localStorage[key] = text;
  },
  removeItem: (key: string) => void delete browser.localStorage[key],
};
// Its entries are seen by `Object.keys`, its methods are not.
for (const [name, value] of Object.entries(storage))
  Object.defineProperty(browser.localStorage, name, { value, enumerable: false });

export function clearStorage(): void {
  for (const key of Object.keys(browser.localStorage)) delete browser.localStorage[key];
}

function goTo(state: unknown, target: string): void {
  browser.history.state = state;
  if (target.startsWith('#')) browser.location.hash = target;
  if (target === browser.location.pathname) browser.location.hash = '';
}

/** Longer than anything takes on a busy machine. */
const SOON = { timeout: 60_000, interval: 20 };

/** The network's effect on a call; undefined if it passes the call on. */
type Network = (method: string, path: string, init: RequestInit) => Promise<Response> | Response | undefined;

interface Notice {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}

export interface Page {
  net: Net;
  browser: typeof browser;
  /** Each call so far but polls, as `POST /messages`, with its parameters. */
  calls: { call: string; params: Record<string, string> }[];
  /** The service refuses the next call in these words. */
  refuseNext(words: string): void;
  /** Intercepts calls between the page and the service until it is removed; polls pass. */
  network: Network | undefined;
  /** Intercepts the next call between the page and the service; polls pass. */
  interceptNext(network: Network): void;
  /** Waits until this holds in the page's state. */
  sees(read: () => unknown): Promise<unknown>;
  /** The newest notice to the viewer. */
  notice(): Notice | undefined;
  /** Does the action of the newest notice. */
  undo(): void;
}

/** Opens the page as a user whom the service knows; it follows the events until the tests of the file are over. */
export async function openPage(service: TestService, viewer: Client): Promise<Page> {
  const send = globalThis.fetch;
  const { origin } = new URL(service.url);
  Object.assign(browser.location, { hash: '', origin, href: `${origin}/` });
  clearStorage();
  for (const [name, value] of Object.entries(browser)) vi.stubGlobal(name, value);
  const page: Partial<Page> & Pick<Page, 'calls' | 'network'> = { calls: [], network: undefined };
  let isClosing = false;
  vi.stubGlobal('fetch', (target: string, init: RequestInit = {}) => {
    if (!target.startsWith('/')) return send(target, init);
    const { method = 'GET' } = init;
    const path = target.replace('/api/v1', '');
    if (isClosing) return Promise.resolve(Response.json({ result: 'error', msg: 'Closed' }, { status: 401 }));
    const isPoll = path.startsWith('/events');
    const params = init.body instanceof URLSearchParams ? Object.fromEntries(init.body) : {};
    if (!isPoll) page.calls.push({ call: `${method} ${path}`, params });
    const answer = isPoll ? undefined : page.network?.(method, path, init);
    if (answer) return answer;
    const headers = { ...(init.headers as Record<string, string>), authorization: viewer.authorization };
    return send(`${origin}${target}`, { ...init, headers });
  });
  const net = Object.fromEntries(
    await Promise.all(Object.entries(modules).map(async ([name, take]) => [name, await take()])),
  ) as Net;
  const { session } = net.api;
  const { state, notices } = net.store;
  session.value = 'unknown';
  state.value = undefined;
  notices.value = [];
  // A notice goes after some seconds, which is soon on a busy machine.
  const shown: Notice[] = [];
  const stopListening = notices.subscribe((all: Notice[]) => {
    const last = all.at(-1);
    if (last && !shown.some(({ id }) => id === last.id)) shown.push(last);
  });
  const following: Promise<void> = net.events.followEvents();
  await vi.waitUntil(() => state.value, SOON);
  const interceptNext = (network: Network): void => {
    page.network = (...request) => {
      page.network = undefined;
      return network(...request);
    };
  };
  atFileEnd(async () => {
    isClosing = true;
    session.value = 'out';
    await following;
    stopListening();
    vi.unstubAllGlobals();
  });
  return Object.assign(page, {
    net,
    browser,
    interceptNext,
    refuseNext: (msg: string) =>
      interceptNext(() => Response.json({ result: 'error', msg, code: 'BAD_REQUEST' }, { status: 400 })),
    sees: (read: () => unknown) => vi.waitUntil(read, SOON),
    notice: () => shown.at(-1),
    undo: () => shown.at(-1)?.action?.run(),
  }) as Page;
}
