import { readKept } from '../device.ts';
import { connection, state } from '../store.ts';
import { OWNER } from './owner.ts';

/** The time that a start waits for the service before the page shows the device's copy. */
const SILENT_MS = 6_000;

/**
 * Shows what this device kept, if the service cannot be reached as the page starts. Returns what ends it. The rest of
 * what works without network is loaded only then.
 */
export function watchStart(): () => void {
  const show = async (): Promise<void> => {
    if (state.value) return;
    const { showKept } = await import('./keeping.ts');
    await showKept();
  };
  const tryToShow = (): void => void show().catch(() => undefined);
  const timer = setTimeout(tryToShow, SILENT_MS);
  const stop = connection.subscribe(({ status }) => {
    if (status === 'waiting') tryToShow();
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** The delay of work that the first page does not need. */
const SETTLED_MS = 3_000;

/** Starts to keep the client's offline data once the page has settled. Returns a function that stops this. */
export function watchOfflineLater(userId: number): () => void {
  let isOver = false;
  let end: (() => void) | undefined;
  const begin = async (): Promise<void> => {
    const { watchOffline } = await import('./watch.ts');
    if (!isOver) end = watchOffline(userId);
  };
  const timer = setTimeout(() => void begin().catch(() => undefined), SETTLED_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
    end?.();
  };
}

/** Removes the data that an ended session left on the device. */
export function forgetOffline(): void {
  if (readKept(OWNER) !== null)
    void import('./keeping.ts').then(({ forgetAll }) => forgetAll()).catch(() => undefined);
}
