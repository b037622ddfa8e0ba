import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';
import { server } from '#web/net/store.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { Run } from '#web/state/cache.ts';
import { newBelow } from '#web/state/feed/grouping.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';

const AT_BOTTOM_PX = 60;

export interface Bottom {
  /** Whether the newest message of all is in the window. */
  isThere: () => boolean;
  /** The same, as state for rendering. */
  isInSight: boolean;
  /** Whether it is more than two windows away. */
  isFar: boolean;
  /** Messages of others that came in below the window. */
  count: number;
  onScroll: (restPx: number, windowPx: number) => void;
}

/** Knows how far the window is from the newest message, and what came in there. */
export function useBottom(
  handle: RefObject<VirtualizerHandle | null>,
  run: Run,
  messages: Message[],
  isThereFirst: boolean,
): Bottom {
  const isThere = useRef(isThereFirst);
  const newestId = messages.at(-1)?.id ?? 0;
  const [isFar, setFar] = useState(false);
  const [isInSight, setInSight] = useState(isThereFirst);
  const [seenId, setSeen] = useState(newestId);
  // A feed that is shorter than its window is never scrolled.
  useEffect(() => {
    const list = handle.current;
    if (list && run.hasNewest && list.scrollSize - list.viewportSize - list.scrollOffset < AT_BOTTOM_PX)
      isThere.current = true;
    setInSight(isThere.current && run.hasNewest);
    if (isThere.current) setSeen(newestId);
  }, [newestId, run.hasNewest]);
  return {
    isThere: () => isThere.current,
    isInSight,
    isFar,
    count: run.hasNewest && !isThere.current ? newBelow(messages, seenId, server.value.user_id) : 0,
    onScroll: (restPx, windowPx) => {
      isThere.current = run.hasNewest && restPx < AT_BOTTOM_PX;
      setInSight(isThere.current);
      if (isThere.current) setSeen(newestId);
      setFar(restPx > 2 * windowPx || (!run.hasNewest && restPx > 0));
    },
  };
}

/** Leads to the newest message, and says how many came in below. */
export function ToNewest({ bottom: { isFar, count }, go }: { bottom: Bottom; go: () => void }) {
  if (!isFar && count === 0) return null;
  return (
    <button type="button" class={count > 0 ? 'to-bottom fresh' : 'to-bottom'} onClick={go}>
      <Icon name="arrow-down" />
      {count === 0
        ? t('feed.jumpToNewest')
        : count === 1
          ? t('feed.n1NewMessage')
          : t('feed.countNewMessages', { count })}
    </button>
  );
}
