import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';
import { server } from '#web/net/store.ts';
import type { Row } from '#web/state/feed/grouping.ts';
import {
  conversationOf,
  conversationOfMessage,
  keyOfNarrow,
  type Narrow,
  narrowOf,
} from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { ConversationBar } from './conversation-bar.tsx';

/** The message at the upper edge of a feed; undefined if the bar of its conversation is in sight. */
type Covered = Signal<Message | undefined>;

/**
 * Finds the conversation at the upper edge of a feed of several, after each scroll and each change of its rows or size. The rows
 * of the list are placed absolutely, so that a sticky bar would not outlast its own row.
 */
export function useCovered(
  scroller: RefObject<HTMLElement | null>,
  handle: RefObject<VirtualizerHandle | null>,
  rows: RefObject<Row[]>,
  narrow: Narrow,
): { covered: Covered; box: RefObject<HTMLDivElement | null>; look: () => void } {
  const covered: Covered = useSignal(undefined);
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef(0);
  const isMixed = conversationOf(narrow) === undefined;
  const find = (): void => {
    frame.current = 0;
    const [feed, list] = [scroller.current, handle.current];
    if (!feed || !list) return;
    const next = rowAtEdge(feed, list, rows.current ?? []);
    if (keyOf(next) !== keyOf(covered.value)) covered.value = next;
    if (box.current) putOver(box.current, feed);
  };
  const look = (): void => {
    if (isMixed) frame.current ||= requestAnimationFrame(find);
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (scroller.current) observer.observe(scroller.current);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame.current);
    };
  }, [isMixed]);
  return { covered, box, look };
}

/** The same for messages of one conversation and day. */
const keyOf = (message: Message | undefined): string | undefined =>
  message &&
  `${keyOfNarrow(narrowOf(conversationOfMessage(message, server.value.user_id)))} ${new Date(message.timestamp * 1000).toDateString()}`;

function rowAtEdge(feed: HTMLElement, list: VirtualizerHandle, rows: Row[]): Message | undefined {
  const index = list.findItemIndex(Math.max(0, feed.scrollTop - paddingOf(feed)));
  const row = rows[index];
  if (!row?.conversation) return row?.message;
  const bar = feed.querySelector(`[data-message-id="${row.message.id}"] > .bar`);
  const isPassed = bar !== null && bar.getBoundingClientRect().top < feed.getBoundingClientRect().top;
  // Above its own bar a row has at most a day, which passes below the bar of the messages before it.
  return isPassed ? row.message : rows[index - 1]?.message;
}

const paddingOf = (feed: HTMLElement): number => Number.parseFloat(getComputedStyle(feed).paddingTop) || 0;

/** The bar has the width of the rows; the next one pushes it out. */
function putOver(box: HTMLElement, feed: HTMLElement): void {
  const edge = feed.getBoundingClientRect().top;
  const { offsetHeight: height } = box;
  const tops = [...feed.querySelectorAll('.feed-row > .bar')].map((bar) => bar.getBoundingClientRect().top);
  const next = tops
    .filter((top) => top >= edge)
    .reduce((nearest, other) => Math.min(nearest, other), edge + height);
  box.style.width = `${feed.clientWidth}px`;
  const row = box.firstElementChild;
  if (row instanceof HTMLElement) row.style.translate = `0 ${Math.min(0, next - edge - height)}px`;
}

/**
 * The bar of the conversation whose messages pass the upper edge. It repeats the bar in the list for eyes and pointers;
 * keys and screen readers use that one.
 */
export function BarOver({ covered, box, look }: ReturnType<typeof useCovered>) {
  const message = covered.value;
  useLayoutEffect(() => {
    for (const control of box.current?.querySelectorAll<HTMLElement>('a, button') ?? [])
      control.tabIndex = -1;
    look();
  }, [message]);
  if (!message) return null;
  const conversation = conversationOfMessage(message, server.value.user_id);
  return (
    <div class="bar-over" ref={box} aria-hidden="true" onMouseDown={(event) => event.preventDefault()}>
      <div class="bar-over-row">
        <ConversationBar conversation={conversation} message={message} />
      </div>
    </div>
  );
}
