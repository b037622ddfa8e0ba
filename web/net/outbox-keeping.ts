import { type Pending, takenOver } from '#web/state/feed/outbox.ts';
import { forgetKept, keep, keptNames, readKept } from './device.ts';
import { randomId } from './random-id.ts';
import { serviceNowMs } from './service-clock.ts';

/**
 * Unsent messages are stored on the device under a name of this tab. A lock of that name is held while the tab lives,
 * so that another tab takes over the messages of a closed tab, and never the messages of a living one.
 */
const PREFIX = 'outbox';
const tabId = randomId();
const nameOf = (userId: number, tab: string): string => `${PREFIX} ${userId} ${tab}`;

if ('locks' in navigator)
  // A browser that keeps nothing may refuse locks too.
  navigator.locks.request(`${PREFIX} ${tabId}`, () => new Promise<never>(() => {})).catch(() => undefined);

/** Stores the unsent messages, or removes the entry if there are none. */
export function keepOutbox(userId: number, outbox: readonly Pending[]): void {
  const name = nameOf(userId, tabId);
  const left = outbox.filter(({ status }) => status !== 'sent');
  if (left.length === 0) forgetKept(name);
  else if (!keep(name, JSON.stringify(left)))
    console.warn('This browser is out of storage. Unsent messages won’t survive a reload.');
}

/**
 * Takes over the messages of closed tabs, and of living tabs once they close: a tab that is just
 * closing still holds its lock when the next tab requests it. Ends with the signal.
 */
export function takeOverLeft(userId: number, take: (left: Pending[]) => void, signal: AbortSignal): void {
  const prefix = nameOf(userId, '');
  for (const name of keptNames(prefix)) {
    const tab = name.slice(prefix.length);
    if (tab === tabId) continue;
    if (!('locks' in navigator)) {
      // A page without TLS has none. If the other tab lives, both send, and their common key makes it one message.
      take(takeOver(name));
      continue;
    }
    navigator.locks
      .request(`${PREFIX} ${tab}`, { signal }, () => takeOver(name))
      .then(take)
      .catch((failure) => {
        // A browser that keeps nothing may refuse locks too.
        if (!signal.aborted) console.warn('The messages of a closed page could not be taken over', failure);
      });
  }
}

function takeOver(name: string): Pending[] {
  const text = readKept(name);
  forgetKept(name);
  const left: Pending[] = text ? JSON.parse(text) : [];
  return left.map((pending) => takenOver(pending, serviceNowMs()));
}
