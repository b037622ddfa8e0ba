import { markRead } from '#web/net/reading.ts';
import { server } from '#web/net/store.ts';
import { isDialogOpen } from '#web/parts/dialog.tsx';
import type { Row } from '#web/state/feed/grouping.ts';
import { conversationOf, type Narrow } from '#web/state/narrow.ts';

const NEVER = 3;
const ONLY_CONVERSATIONS = 2;
const LOOK_EVERY_MS = 500;

/** Narrows in which the viewer asked for "unread from here": reading pauses there until they come back. */
const paused = new WeakSet<Narrow>();

export const pauseReading = (narrow: Narrow): void => {
  paused.add(narrow);
};

/** Whether looking at a feed reads it: searches never do, and the viewer may have said no. */
function mayRead(narrow: Narrow): boolean {
  const policy = server.value.user_settings.web_mark_read_on_scroll_policy;
  if (policy === NEVER || paused.has(narrow)) return false;
  if (conversationOf(narrow)) return true;
  if (policy === ONLY_CONVERSATIONS) return false;
  return narrow.every(
    ({ operator, operand }) => operator === 'channel' || operator === 'in' || operand === 'dm',
  );
}

/** Marks visible messages as read while the window has the viewer's attention; returns a function that stops this. */
export function watchReading(look: () => { rows: Row[] }, narrow: Narrow): () => void {
  const read = (): void => {
    if (!document.hasFocus() || isDialogOpen() || !mayRead(narrow)) return;
    const unread = look().rows.filter(({ message }) => !message.flags.includes('read'));
    markRead(unread.map(({ message }) => message.id));
  };
  const timer = setInterval(read, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    paused.delete(narrow);
  };
}
