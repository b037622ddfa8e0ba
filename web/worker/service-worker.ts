/**
 * Opens the client without network. The page comes from the network whenever it answers, so that nobody gets the page of
 * an older version; files whose names carry the hash of their contents come from the device. Nothing else is touched:
 * replies to an account never get into a cache that all accounts of a device share.
 */

/** The build puts this before the script. */
declare const BUILT: { version: string; files: string[] };

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Asking extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Scope extends EventTarget {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}
// The types of a page and of a worker exclude each other, and the client is checked as a page.
const scope = globalThis as unknown as Scope;

const PREFIX = 'client ';
const NAME = `${PREFIX}${BUILT.version}`;
const PAGE = '/';
const AT_ONCE = 4;
/** A network that is silent for so long counts as none. */
const SILENT_MS = 8_000;
const FOUND_BY_ADDRESS = { ignoreVary: true };

scope.addEventListener('install', (event) => (event as Lasting).waitUntil(install()));
scope.addEventListener('activate', (event) => (event as Lasting).waitUntil(activate()));
scope.addEventListener('fetch', (event) => answer(event as Asking));

/** Takes the page and all its scripts; fails as a whole, and the browser tries again later. */
async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  const page = await fetch(PAGE, { cache: 'no-cache', redirect: 'error' });
  if (!page.ok || !(await page.clone().text()).includes(`"${BUILT.version}"`))
    throw new Error('The page is not that of this version.');
  const waiting = [...BUILT.files];
  const work = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
      await cache.put(path, (await caches.match(path, FOUND_BY_ADDRESS)) ?? (await fetchFile(path)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await cache.put(PAGE, page);
  await scope.skipWaiting();
}

async function fetchFile(path: string): Promise<Response> {
  const file = await fetch(path);
  if (!file.ok) throw new Error(`${path} was answered with ${file.status}.`);
  return file;
}

/** Keeps the version before this one: its pages may still be open, and load more of it. */
async function activate(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
  await scope.clients.claim();
}

function answer(event: Asking): void {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate' && pathname === PAGE) event.respondWith(answerPage(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(answerFile(event));
}

async function answerPage(request: Request): Promise<Response> {
  try {
    const page = await fetch(request, { signal: AbortSignal.timeout(SILENT_MS) });
    if (page.status < 500) return page;
    return (await keptPage()) ?? page;
  } catch (failure) {
    const kept = await keptPage();
    if (!kept) throw failure;
    return kept;
  }
}

const keptPage = (): Promise<Response | undefined> =>
  caches.match(PAGE, { ...FOUND_BY_ADDRESS, cacheName: NAME, ignoreSearch: true });

/** A file outside the installation's list, as a font, is cached on its first use. */
async function answerFile({ request }: Asking): Promise<Response> {
  const kept = await caches.match(request, FOUND_BY_ADDRESS);
  if (kept) return kept;
  const file = await fetch(request);
  if (file.ok && file.headers.get('cache-control')?.includes('immutable') === true)
    await keepFile(request, file.clone()).catch(() => undefined);
  return file;
}

/** Caches a file, unless a page removed the cache since its account signs out: opening it would create it again. */
async function keepFile(request: Request, file: Response): Promise<void> {
  if (!(await caches.has(NAME))) return;
  const cache = await caches.open(NAME);
  await cache.put(request, file);
}
