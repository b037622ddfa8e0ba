import { type Pending, takenOver } from '#web/state/feed/outbox.ts';

/**
 * Messages on their way stand on the device under a name of this tab. A lock of that name is held as long as the tab lives,
 * so that another tab takes over what a closed one left, and nothing of a living one.
 */
const PREFIX = 'outbox';
const tabId = crypto.randomUUID();
const nameOf = (userId: number, tab: string): string => `${PREFIX} ${userId} ${tab}`;

if ('locks' in navigator)
  void navigator.locks.request(`${PREFIX} ${tabId}`, () => new Promise<never>(() => {}));

/** Writes what is not sent yet, or takes the entry away where nothing is. */
export function keepOutbox(userId: number, outbox: readonly Pending[]): void {
  const name = nameOf(userId, tabId);
  const left = outbox.filter(({ status }) => status !== 'sent');
  try {
    if (left.length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(left));
  } catch (failure) {
    console.warn('The device keeps nothing more', failure);
  }
}

/**
 * Takes over what closed tabs left behind, and what living ones leave as soon as they close: a tab that is just
 * being closed still has its lock when the next one asks. Ends with the signal.
 */
export function takeOverLeft(userId: number, take: (left: Pending[]) => void, signal: AbortSignal): void {
  if (!('locks' in navigator)) return;
  const prefix = nameOf(userId, '');
  for (const name of Object.keys(localStorage)) {
    const tab = name.slice(prefix.length);
    if (!name.startsWith(prefix) || tab === tabId) continue;
    navigator.locks
      .request(`${PREFIX} ${tab}`, { signal }, () => takeOver(name))
      .then(take)
      .catch((failure) => {
        if (!signal.aborted) throw failure;
      });
  }
}

function takeOver(name: string): Pending[] {
  const text = localStorage.getItem(name);
  localStorage.removeItem(name);
  const left: Pending[] = text ? JSON.parse(text) : [];
  return left.map((one) => takenOver(one, Date.now()));
}
