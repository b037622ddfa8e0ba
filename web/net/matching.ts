import { addMatches, loosen, type Matches, undecidedRuns } from '#web/state/feed/matches.ts';
import { keyOfNarrow, toWire } from '#web/state/narrow.ts';
import { call } from './api.ts';
import { onEvent } from './hearing.ts';
import { shownNarrow } from './pages.ts';
import { cache, server } from './store.ts';

const TOGETHER_MS = 300;
/** As many as one call may name. */
const MOST_AT_ONCE = 500;

/** Adds new messages to visible searches; the service decides which ones match. Returns a function that stops this. */
export function watchMatches(): () => void {
  let waiting: number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = onEvent('message', ({ message, flags }) => {
    const keys = undecidedRuns(cache.value, { ...message, flags }, server.value);
    if (keys.length === 0) return;
    const shown = shownNarrow();
    const open = shown && keyOfNarrow(shown);
    cache.value = loosen(
      cache.value,
      keys.filter((key) => key !== open),
    );
    if (open === undefined || !keys.includes(open)) return;
    waiting.push(message.id);
    timer ??= setTimeout(() => {
      const ids = waiting.splice(0, MOST_AT_ONCE);
      waiting = [];
      timer = undefined;
      void askFor(ids);
    }, TOGETHER_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

async function askFor(ids: number[]): Promise<void> {
  const narrow = shownNarrow();
  if (!narrow) return;
  const key = keyOfNarrow(narrow);
  try {
    const { messages } = await call<{ messages: Matches }>('GET', '/messages/matches_narrow', {
      msg_ids: ids,
      narrow: toWire(narrow, server.value.user_id),
    });
    cache.value = addMatches(cache.value, key, messages);
  } catch {
    cache.value = loosen(cache.value, [key]);
  }
}
