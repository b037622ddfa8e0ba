import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';
import { type Place, show } from '#web/net/pages.ts';
import { notePlace } from '#web/net/router.ts';
import { generation } from '#web/net/store.ts';
import type { Row } from '#web/state/feed/grouping.ts';
import type { Narrow } from '#web/state/narrow.ts';

const NOTE_AFTER_MS = 250;
/** The viewer is at the end if at most this much of the feed is below the window. */
export const AT_BOTTOM_PX = 60;

/** Scrolls to a row; to the end if the place is unknown or gone. */
export function scrollToPlace(list: VirtualizerHandle | null, rows: Row[], place: Place | undefined): void {
  if (!list || rows.length === 0) return;
  const index = place ? rows.findIndex(({ message }) => message.id >= place.messageId) : -1;
  if (index < 0) list.scrollToIndex(rows.length - 1, { align: 'end' });
  else list.scrollToIndex(index, { align: 'start', offset: -Math.round(place?.offsetPx ?? 0) });
}

function placeOf(list: VirtualizerHandle | null, rows: Row[]): Place | undefined {
  if (!list || rows.length === 0) return undefined;
  const index = list.findItemIndex(list.scrollOffset);
  const messageId = rows[index]?.message.id;
  if (messageId === undefined) return undefined;
  return { messageId, offsetPx: Math.round(list.getItemOffset(index) - list.scrollOffset) };
}

const isAtEnd = (list: VirtualizerHandle | null): boolean =>
  list !== null && list.scrollSize - list.viewportSize - list.scrollOffset <= AT_BOTTOM_PX;

/**
 * Keeps the place of a feed: in the history, for Back and for reloading, and across a new queue, when all messages are
 * fetched again. Returns a function that stores the place after scrolling.
 */
export function usePlace(
  handle: RefObject<VirtualizerHandle | null>,
  rows: RefObject<Row[]>,
  narrow: Narrow,
): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef<Place>(undefined);
  const now = (): Place | undefined => placeOf(handle.current, rows.current ?? []);
  const round = generation.value;
  const known = useRef(round);
  useLayoutEffect(() => {
    if (known.current === round) return;
    known.current = round;
    if (last.current) scrollToPlace(handle.current, rows.current ?? [], last.current);
  }, [round]);
  useEffect(() => {
    const stop = show({
      narrow,
      placeOf: () => {
        last.current = now();
        return last.current;
      },
      placeToReturn: () => {
        const newest = rows.current?.at(-1)?.message.id;
        return newest !== undefined && isAtEnd(handle.current) ? { messageId: newest, offsetPx: 0 } : now();
      },
    });
    return () => {
      clearTimeout(timer.current);
      stop();
    };
  }, [narrow]);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => notePlace(now()), NOTE_AFTER_MS);
  };
}
