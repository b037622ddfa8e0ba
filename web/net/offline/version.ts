import type { ReadonlySignal } from '@preact/signals';
import { unreachable } from '../api.ts';
import { generation, interruption, isOutdated } from '../store.ts';
import { updateWorker } from './worker.ts';

const EVERY_MS = 3_600_000;
const PAUSE_MS = 60_000;
const SOON_MS = 3_000;

const versionIn = (page: Document): string | undefined =>
  page.querySelector<HTMLMetaElement>('meta[name=version]')?.content;

/** The page is only read, so its scripts do not run; undefined if there is no answer. */
async function servedVersion(): Promise<string | undefined> {
  const reply = await fetch('/', { cache: 'no-cache' }).catch(() => undefined);
  if (!reply?.ok) return undefined;
  return /<meta name="version" content="([^"]+)">/.exec(await reply.text())?.[1];
}

async function look(): Promise<void> {
  const served = await servedVersion();
  if (served === undefined || served === versionIn(document)) return;
  isOutdated.value = true;
  await updateWorker();
}

/**
 * Checks for a newer client after a lost connection, as in an upgrade, after a new registration, and each hour. Returns
 * a function that stops this.
 */
export function watchVersion(): () => void {
  let lastLookMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lookNow = (): void => {
    timer = undefined;
    lastLookMs = Date.now();
    void look();
  };
  const lookSoon = (): void => {
    const waitedMs = Date.now() - lastLookMs;
    // Not all pages at once.
    timer ??= setTimeout(lookNow, Math.max(SOON_MS * Math.random(), PAUSE_MS - waitedMs));
  };
  const lookIfDue = (): void => {
    if (!document.hidden && Date.now() - lastLookMs > EVERY_MS) lookSoon();
  };
  const stops = [generation, interruption, unreachable].map((signal) => after(signal, lookSoon));
  const clock = setInterval(lookIfDue, EVERY_MS / 4);
  document.addEventListener('visibilitychange', lookIfDue);
  return () => {
    for (const stop of stops) stop();
    clearTimeout(timer);
    clearInterval(clock);
    document.removeEventListener('visibilitychange', lookIfDue);
  };
}

/** Runs something after each change of a signal. */
function after(changing: ReadonlySignal<unknown>, run: () => void): () => void {
  let isFirst = true;
  return changing.subscribe(() => {
    if (!isFirst) run();
    isFirst = false;
  });
}
