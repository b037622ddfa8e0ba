import { useComputed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { readDraft } from '#web/net/drafts.ts';
import { leadOn } from '#web/net/moves.ts';
import { type Anchor, extendRun, jumpTo, loading, openRun, type Place } from '#web/net/pages.ts';
import { notedPlace } from '#web/net/router.ts';
import { outbox } from '#web/net/sending.ts';
import { cache } from '#web/net/store.ts';
import { roveMessages } from '#web/parts/roving.ts';
import type { Run } from '#web/state/cache.ts';
import type { Row } from '#web/state/feed/grouping.ts';
import { type Pending, pendingOf } from '#web/state/feed/outbox.ts';
import { conversationOf, keyOfNarrow, type Narrow } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { BarOver, useCovered } from './bar-over.tsx';
import { copyMessages } from './copying.ts';
import { findObstacle, followMoved } from './elsewhere.ts';
import { holdEnds } from './feed-ends.ts';
import { EmptyFeed, FailedFeed, HiddenFeed, LoadingFeed } from './feed-states.tsx';
import { LinkPreview, watchLinks } from './link-preview.tsx';
import {
  useFollowing,
  useLaidOut,
  usePending,
  usePendingAlone,
  usePrinting,
  useRows,
  useSelectedRows,
  useShift,
} from './listed.ts';
import { MessageRow } from './message-row.tsx';
import { PendingRow } from './pending-row.tsx';
import { watchReading } from './reading.ts';
import { onRenderedClick } from './rendered-clicks.ts';
import { editingId, selectedId, shownId } from './selection.ts';
import { SentStrip } from './sent-strip.tsx';
import { ToNewest, useBottom } from './to-newest.tsx';
import { watchTouch } from './touch.ts';
import { AT_BOTTOM_PX, scrollToPlace, usePlace } from './use-place.ts';

const NEAR_END_PX = 800;
/** A position between two pixels of the screen is the end too. */
const VERY_END_PX = 2;

/** The feed of a narrow: opens at the viewer's place, a given or the first unread message; loads more at both ends. */
export function Feed({ narrow, near }: { narrow: Narrow; near?: number | undefined }) {
  const key = keyOfNarrow(narrow);
  const run = useComputed(() => cache.value.runs.get(key)).value;
  const state = useComputed(() => loading.value.get(key)).value;
  const place = useMemo(() => notedPlace(), [key]);
  const target = place?.messageId ?? near;
  const anchor: Anchor = target ?? (mayHaveUnread(narrow) ? 'first_unread' : 'newest');
  const isMissing = run === undefined;
  const obstacle = useComputed(() => findObstacle(narrow)).value;
  useEffect(() => {
    if (obstacle === undefined) void openRun(narrow, anchor);
  }, [key, anchor, isMissing, obstacle]);
  const [jump, setJump] = useState<Jump>();
  const isSought = useRef(place !== undefined);
  useEffect(() => {
    if (near === undefined || !run || isSought.current || state?.isLoading !== false) return;
    isSought.current = true;
    if (!run.ids.includes(near)) void followMoved(near, narrow);
  }, [near, state, run]);
  const isEmptyTopic = run?.ids.length === 0 && run.hasNewest && run.hasOldest;
  useEffect(() => {
    const place = isEmptyTopic ? conversationOf(narrow) : undefined;
    // A message written here may start a new topic.
    if (place?.type !== 'stream' || readDraft(place) !== '' || pendingOf(key, outbox.value).length > 0)
      return;
    void leadOn(narrow, place);
  }, [isEmptyTopic, key]);
  if (obstacle !== undefined) return <HiddenFeed reason={obstacle} />;
  const hasTarget = run && (target === undefined || run.ids.includes(target) || !state?.isLoading);
  if (!hasTarget) {
    return <Unloaded narrow={narrow} failure={state?.failure} retry={() => void openRun(narrow, anchor)} />;
  }
  const opening = place ?? (near === undefined ? undefined : { messageId: near, offsetPx: aQuarter() });
  const jumpToEnd = async (end: 'oldest' | 'newest'): Promise<void> => {
    await jumpTo(narrow, end);
    setJump((before) => ({ end, count: (before?.count ?? 0) + 1 }));
  };
  return (
    <Messages
      // The messages in between were dropped: the list starts over at the other end.
      key={jump?.count}
      run={run}
      narrow={narrow}
      opensAt={jump?.end ?? opening}
      isLoading={state?.isLoading === true}
      jump={(end) => void jumpToEnd(end)}
    />
  );
}

interface Jump {
  end: 'oldest' | 'newest';
  count: number;
}

/** A feed whose messages are still loading or failed to load; the viewer's own messages on their way appear below. */
function Unloaded({
  narrow,
  failure,
  retry,
}: {
  narrow: Narrow;
  failure: string | undefined;
  retry: () => void;
}) {
  const pending = usePendingAlone(narrow);
  return (
    <div class="feed-box unloaded">
      {failure ? <FailedFeed failure={failure} retry={retry} /> : <LoadingFeed />}
      {pending.length > 0 && (
        <div class="feed">
          {pending.map((message) => (
            <PendingRow key={message.id} pending={message} />
          ))}
        </div>
      )}
    </div>
  );
}

/** A part of the earlier messages stays visible above the message at which a feed opens. */
const aQuarter = (): number => Math.round(innerHeight / 5);

const mayHaveUnread = (narrow: Narrow): boolean =>
  !narrow.some(({ operator, operand }) => operator === 'search' || operand === 'starred');

interface MessagesProps {
  run: Run;
  narrow: Narrow;
  opensAt: Place | Jump['end'] | undefined;
  isLoading: boolean;
  jump: (end: Jump['end']) => void;
}

function Messages({ run, narrow, opensAt, isLoading, jump }: MessagesProps) {
  const isLaidOut = useLaidOut();
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<VirtualizerHandle>(null);
  const { messages, rows, firstUnread } = useRows(run, narrow);
  const pending = usePending(narrow, run);
  const items = useMemo(() => [...rows, ...pending], [rows, pending]);
  const isShifted = useShift(messages[0]?.id);
  const selected = selectedId.value;
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  const opensAtEnd = opensAt === 'newest' || (opensAt === undefined && firstUnread === undefined);
  const bottom = useBottom(handle, run, messages, opensAtEnd);
  const noteSeen = useSeen(handle, rowsNow, narrow, isLaidOut);
  const over = useCovered(scroller, handle, rowsNow, narrow);
  useEffect(over.look, [items, isLaidOut]);

  useLayoutEffect(() => {
    const unread = firstUnread === undefined ? undefined : { messageId: firstUnread, offsetPx: aQuarter() };
    if (opensAt === 'newest') handle.current?.scrollToIndex(items.length - 1, { align: 'end' });
    else if (opensAt === 'oldest') handle.current?.scrollToIndex(0, { align: 'start' });
    else scrollToPlace(handle.current, rows, opensAt ?? unread);
  }, []);
  const toNewest = useEnds(handle, run, items.length, jump);
  useFollowing(messages.at(-1), pending.length, (isOwn) => {
    if ((bottom.isThere() || isOwn) && run.hasNewest)
      handle.current?.scrollToIndex(items.length - 1, { align: 'end' });
  });
  useEffect(() => watchReading(() => visibleRows(handle.current, rowsNow.current), narrow), [narrow]);
  useEffect(() => fillWindow(handle.current, run, narrow), [run, narrow]);
  const selectedRows = useSelectedRows(rowsNow);
  useStayAtEnd(scroller, handle, { isAtEnd: bottom.isThere, run, isEmpty: items.length === 0 });
  const isPrinting = usePrinting();
  const isEmpty = items.length === 0;
  useLayoutEffect(() => {
    const feed = scroller.current;
    if (!feed) return;
    const ends = [watchTouch(feed, narrow), watchLinks(feed), roveMessages(feed)];
    return () => {
      for (const end of ends) end();
    };
  }, [narrow, isEmpty]);

  const onScroll = (offset: number): void => {
    const list = handle.current;
    if (!list) return;
    const rest = list.scrollSize - list.viewportSize - offset;
    bottom.onScroll(rest, list.viewportSize);
    noteSeen();
    over.look();
    if (offset < NEAR_END_PX && !run.hasOldest) void extendRun(narrow, 'older');
    if (rest < NEAR_END_PX && !run.hasNewest) void extendRun(narrow, 'newer');
  };
  const hadMessages = useEver(messages.length > 0);
  if (isEmpty) return <EmptyFeed narrow={narrow} wasEmptied={hadMessages} />;
  return (
    <div class="feed-box">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: what is clicked in messages are links, buttons and pictures, which send clicks for keys */}
      <div
        class="feed"
        ref={scroller}
        role="feed"
        aria-label={t('common.messages')}
        aria-busy={isLoading || !isLaidOut}
        onClick={onRenderedClick}
        onCopy={(event) => copyMessages(event, rows)}
      >
        <Virtualizer
          ref={handle}
          scrollRef={scroller}
          shift={isShifted}
          bufferSize={600}
          onScroll={onScroll}
          keepMounted={[...selectedRows, ...editedIn(rows)]}
          data={items}
        >
          {(item: Row | Pending) => drawItem(item, narrow, selected, rows.at(-1))}
        </Virtualizer>
      </div>
      <BarOver {...over} />
      {isPrinting && (
        <div class="print-copy">{items.map((item) => drawItem(item, narrow, undefined, rows.at(-1)))}</div>
      )}
      <LinkPreview />
      <ToNewest bottom={bottom} go={toNewest} />
      <SentStrip narrow={narrow} isEndInSight={bottom.isInSight} toNewest={toNewest} />
    </div>
  );
}

/** Whether something was ever true of this feed. */
function useEver(isTrue: boolean): boolean {
  const wasTrue = useRef(isTrue);
  wasTrue.current ||= isTrue;
  return wasTrue.current;
}

/** Records the viewer's place, and the lowest visible message; returns a function that records it again. */
function useSeen(
  handle: RefObject<VirtualizerHandle | null>,
  rows: { current: Row[] },
  narrow: Narrow,
  isLaidOut: boolean,
): () => void {
  const notePlaceSoon = usePlace(handle, rows, narrow);
  const note = (): void => {
    shownId.value = visibleRows(handle.current, rows.current).rows.at(-1)?.message.id;
  };
  useEffect(() => {
    note();
    return () => {
      shownId.value = undefined;
    };
  }, [isLaidOut]);
  return () => {
    note();
    notePlaceSoon();
  };
}

function drawItem(item: Row | Pending, narrow: Narrow, selected: number | undefined, last: Row | undefined) {
  if (!('message' in item)) return <PendingRow key={item.id} pending={item} />;
  const { id } = item.message;
  return (
    <MessageRow key={id} row={item} narrow={narrow} isSelected={selected === id} isLast={item === last} />
  );
}

/** The row of the message that is being edited, by its place. */
const editedIn = (rows: Row[]): number[] => {
  const index = rows.findIndex(({ message }) => message.id === editingId.value);
  return index < 0 ? [] : [index];
};

/** A run shorter than the window is made longer, since nothing can be scrolled. */
function fillWindow(list: VirtualizerHandle | null, run: Run, narrow: Narrow): void {
  if (!list || run.ids.length === 0 || list.scrollSize > list.viewportSize + NEAR_END_PX) return;
  if (!run.hasNewest) void extendRun(narrow, 'newer');
  else if (!run.hasOldest) void extendRun(narrow, 'older');
}

/** Leads to the ends of the feed, by fetching them if they are far; returns what leads to the newest message. */
function useEnds(
  handle: RefObject<VirtualizerHandle | null>,
  { hasNewest, hasOldest }: Run,
  length: number,
  jump: (end: Jump['end']) => void,
): () => void {
  const toNewest = (): void => {
    if (hasNewest) handle.current?.scrollToIndex(length - 1, { align: 'end' });
    else jump('newest');
  };
  const toOldest = (): void => {
    if (hasOldest) handle.current?.scrollToIndex(0, { align: 'start' });
    else jump('oldest');
  };
  useEffect(() => holdEnds({ toNewest, toOldest }));
  return toNewest;
}

interface EndOfFeed {
  isAtEnd: () => boolean;
  run: Run;
  isEmpty: boolean;
}

function useStayAtEnd(
  scroller: RefObject<HTMLDivElement | null>,
  handle: RefObject<VirtualizerHandle | null>,
  { isAtEnd, run, isEmpty }: EndOfFeed,
): void {
  const hasNewest = useRef(run.hasNewest);
  hasNewest.current = run.hasNewest;
  useEffect(() => {
    const toEnd = (): void => handle.current?.scrollTo(Number.MAX_SAFE_INTEGER);
    return stayAtEnd(scroller.current, isAtEnd, () => hasNewest.current, toEnd);
  }, [isEmpty]);
}

/**
 * The newest message stays in view whatever makes the room for messages smaller, as a long draft, a keyboard or a lower window,
 * and whatever makes messages higher, as marks and reactions.
 */
function stayAtEnd(
  feed: HTMLElement | null,
  isAtEnd: () => boolean,
  hasNewest: () => boolean,
  toEnd: () => void,
): (() => void) | undefined {
  if (!feed) return undefined;
  let { clientHeight: height, scrollHeight: size, scrollTop: top } = feed;
  let wasAtEnd = isAtEnd();
  // Only after scrolling: the rows of a feed that has just opened may still be measured.
  let wasAtVeryEnd = false;
  const note = (): void => {
    // A smaller height takes effect before its event arrives, and so do higher messages.
    if (feed.clientHeight === height) wasAtEnd = isAtEnd();
    // A viewer who scrolls up leaves the end, even while messages are being measured.
    const isUp = feed.scrollTop < top;
    if (isUp || (feed.clientHeight === height && feed.scrollHeight === size))
      wasAtVeryEnd = hasNewest() && feed.scrollHeight - feed.clientHeight - feed.scrollTop <= VERY_END_PX;
    top = feed.scrollTop;
  };
  const watch = new ResizeObserver(() => {
    const isLower = feed.clientHeight < height && (wasAtEnd || isAtEnd());
    if (isLower || (feed.scrollHeight > size && wasAtVeryEnd)) {
      toEnd();
      requestAnimationFrame(toEnd);
    }
    ({ clientHeight: height, scrollHeight: size } = feed);
  });
  feed.addEventListener('scroll', note, { passive: true });
  watch.observe(feed);
  if (feed.firstElementChild) watch.observe(feed.firstElementChild);
  return () => {
    watch.disconnect();
    feed.removeEventListener('scroll', note);
  };
}

/** Ids of the messages in the window, and whether the newest of all is among them. */
function visibleRows(list: VirtualizerHandle | null, rows: Row[]): { rows: Row[]; isAtEnd: boolean } {
  if (!list || rows.length === 0) return { rows: [], isAtEnd: false };
  const end = list.scrollOffset + list.viewportSize;
  const first = list.findItemIndex(list.scrollOffset);
  const last = Math.min(rows.length - 1, list.findItemIndex(end));
  const isWhole = list.getItemOffset(last) + list.getItemSize(last) <= end + AT_BOTTOM_PX;
  return { rows: rows.slice(first, isWhole ? last + 1 : last), isAtEnd: last === rows.length - 1 && isWhole };
}
