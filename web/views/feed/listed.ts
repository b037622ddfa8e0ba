import { useComputed } from '@preact/signals';
import type { RefObject } from 'preact';
import { flushSync } from 'preact/compat';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { outbox } from '#web/net/sending.ts';
import { cache, generation, server } from '#web/net/store.ts';
import { calendar } from '#web/parts/time.ts';
import type { Run } from '#web/state/cache.ts';
import { type Row, rowsOf } from '#web/state/feed/grouping.ts';
import { type Pending, pendingOf } from '#web/state/feed/outbox.ts';
import { keepSame } from '#web/state/lists.ts';
import { conversationOf, keyOfNarrow, type Narrow, narrowOf } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { reachOf } from './copying.ts';

/** The rows of a run, and the line before the first message that was unread when the feed opened. */
export function useRows(run: Run, narrow: Narrow) {
  const messages = useMessages(run);
  const round = generation.value;
  const [firstUnread, unreadCount] = useMemo(() => {
    const unread = messages.filter(({ flags }) => !flags.includes('read'));
    return [unread[0]?.id, run.hasNewest ? unread.length : undefined];
  }, [round]);
  const ownId = server.value.user_id;
  const rows = useMemo(
    () => rowsOf(messages, narrow, firstUnread, ownId, unreadCount),
    [messages, narrow, firstUnread, ownId, unreadCount, calendar.value],
  );
  return { messages, rows, firstUnread };
}

/** Whether messages came in or went away above: the list then keeps its place from the end. */
export function useShift(firstId: number | undefined): boolean {
  const before = useRef(firstId);
  const isShifted = before.current !== undefined && firstId !== undefined && firstId !== before.current;
  useLayoutEffect(() => {
    before.current = firstId;
  }, [firstId]);
  return isShifted;
}

/** Calls back when a newer message arrives below or an own one is on its way; not for the initial messages. */
export function useFollowing(
  newest: Message | undefined,
  pendingCount: number,
  follow: (isOwn: boolean) => void,
): void {
  const newestId = newest?.id ?? 0;
  const isFirst = useRef(true);
  const isOwn = newest?.sender_id === server.value.user_id;
  useLayoutEffect(() => {
    if (!isFirst.current || pendingCount > 0) follow(isOwn || pendingCount > 0);
    isFirst.current = false;
  }, [newestId, pendingCount]);
}

/** The messages of a run; the same list while none of them changes. */
function useMessages(run: Run): Message[] {
  const known = useRef<Message[]>(undefined);
  const byId = useComputed(() => cache.value.byId).value;
  const list = run.ids.map((id) => byId.get(id)).filter((message) => message !== undefined);
  known.current = keepSame(known.current, list);
  return known.current;
}

/** Own messages on their way, where this narrow will show them. */
export function usePending(narrow: Narrow, { hasNewest, ids }: Run): Pending[] {
  const all = usePendingAlone(narrow);
  return useMemo(
    () =>
      hasNewest ? all.filter(({ messageId }) => messageId === undefined || !ids.includes(messageId)) : [],
    [hasNewest, ids, all],
  );
}

/** Own messages on their way to the conversation of a narrow, before anything is known of its feed. */
export function usePendingAlone(narrow: Narrow): Pending[] {
  const all = outbox.value;
  return useMemo(() => {
    const conversation = conversationOf(narrow);
    return conversation ? pendingOf(keyOfNarrow(narrowOf(conversation)), all) : [];
  }, [narrow, all]);
}

/** False until the first frame: the list learns the height of its window before it places a row. */
export function useLaidOut(): boolean {
  const [isLaidOut, setLaidOut] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setLaidOut(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isLaidOut;
}

/**
 * The rows in which a selection begins and ends. They stay in the page meanwhile: without them the browser would lose
 * the start of the selection.
 */
export function useSelectedRows(rows: RefObject<Row[]>): number[] {
  const [kept, setKept] = useState<number[]>([]);
  useEffect(() => {
    const note = (): void => {
      const reach = reachOf(rows.current ?? []);
      setKept((before) => keepSame(before, reach ? [reach.first, reach.last] : []));
    };
    document.addEventListener('selectionchange', note);
    return () => document.removeEventListener('selectionchange', note);
  }, []);
  return kept;
}

/** Whether the page is being printed. The rows are then rendered at once, before the browser takes the page. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const set = (value: boolean) => () => flushSync(() => setPrinting(value));
    window.addEventListener('beforeprint', set(true), { signal: stop.signal });
    window.addEventListener('afterprint', set(false), { signal: stop.signal });
    matchMedia('print').addEventListener('change', ({ matches }) => set(matches)(), { signal: stop.signal });
    return () => stop.abort();
  }, []);
  return isPrinting;
}
