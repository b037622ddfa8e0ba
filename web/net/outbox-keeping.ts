import { type Pending, takenOver } from '#web/state/feed/outbox.ts';
import { forgetKept, keep, keptNames, readKept } from './device.ts';

/**
 * Messages on their way stand on the device under a name of this tab. A lock of that name is held as long as the tab lives,
 * so that another tab takes over what a closed one left, and nothing of a living one.
 */
const PREFIX = 'outbox';
const tabId = crypto.randomUUID();
const nameOf = (userId: number, tab: string): string => `${PREFIX} ${userId} ${tab}`;

if ('locks' in navigator)
  // A browser that keeps nothing may refuse locks too.
  navigator.locks.request(`${PREFIX} ${tabId}`, () => new Promise<never>(() => {})).catch(() => undefined);

/** Writes what is not sent yet, or takes the entry away where nothing is. */
export function keepOutbox(userId: number, outbox: readonly Pending[]): void {
  const name = nameOf(userId, tabId);
  const left = outbox.filter(({ status }) => status !== 'sent');
  if (left.length === 0) forgetKept(name);
  else if (!keep(name, JSON.stringify(left)))
    console.warn('This browser is out of storage. Unsent messages won’t survive a reload.');
}

/**
 * Takes over what closed tabs left behind, and what living ones leave as soon as they close: a tab that is just
 * being closed still has its lock when the next one asks. Ends with the signal.
 */
export function takeOverLeft(userId: number, take: (left: Pending[]) => void, signal: AbortSignal): void {
  if (!('locks' in navigator)) return;
  const prefix = nameOf(userId, '');
  for (const name of keptNames(prefix)) {
    const tab = name.slice(prefix.length);
    if (tab === tabId) continue;
    navigator.locks
      .request(`${PREFIX} ${tab}`, { signal }, () => takeOver(name))
      .then(take)
      .catch((failure) => {
        // A browser that keeps nothing may refuse locks too.
        if (!signal.aborted) console.warn('What a closed page left could not be taken over', failure);
      });
  }
}

function takeOver(name: string): Pending[] {
  const text = readKept(name);
  forgetKept(name);
  const left: Pending[] = text ? JSON.parse(text) : [];
  return left.map((one) => takenOver(one, Date.now()));
}
