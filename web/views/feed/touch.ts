import { go } from '#web/net/router.ts';
import { cache } from '#web/net/store.ts';
import { isRightToLeft } from '#web/parts/direction.ts';
import { dropLateClick } from '#web/parts/late-click.ts';
import { isNarrow } from '#web/parts/narrow.ts';
import type { Narrow } from '#web/state/narrow.ts';
import { openMessageMenu } from './message-menu.tsx';
import { openMessageSheet } from './message-sheet.tsx';

const HOLD_MS = 450;
/** A finger that moves further does not hold. */
const STILL_PX = 10;
const SWIPE_PX = 90;

/**
 * Touch gestures in a feed: holding a message opens its menu, as a sheet on a telephone; there a swipe to the right
 * back to the navigation. Returns a function that stops this.
 */
export function watchTouch(feed: HTMLElement, narrow: Narrow): () => void {
  let start: { x: number; y: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasHeld = false;
  let held: (() => void) | undefined;
  const end = (): void => {
    clearTimeout(timer);
    start = undefined;
    held = undefined;
  };
  /** A menu that opened under the finger would be closed by its lifting. */
  const onUp = (): void => {
    if (held) {
      dropLateClick();
      setTimeout(held, 0);
    }
    end();
  };
  const onDown = (event: PointerEvent): void => {
    end();
    hasHeld = false;
    if (event.pointerType !== 'touch' || !event.isPrimary || !(event.target instanceof Element)) return;
    // What scrolls sideways or is written into has its own use of a finger.
    if (event.target.closest('pre, .table-box, input, textarea, [role=slider]')) return;
    start = { x: event.clientX, y: event.clientY };
    const row = event.target.closest<HTMLElement>('[data-message-id]');
    const message = cache.value.byId.get(Number(row?.dataset.messageId));
    if (!row || !message) return;
    timer = setTimeout(() => {
      hasHeld = true;
      start = undefined;
      held = () => (isNarrow() ? openMessageSheet : openMessageMenu)(row, message, narrow);
      navigator.vibrate?.(10);
    }, HOLD_MS);
  };
  const onMove = (event: PointerEvent): void => {
    if (!start) return;
    const right = event.clientX - start.x;
    const [across, down] = [isRightToLeft() ? -right : right, Math.abs(event.clientY - start.y)];
    if (Math.max(Math.abs(across), down) > STILL_PX) clearTimeout(timer);
    if (across < SWIPE_PX || down > across / 2 || !isNarrow()) return;
    end();
    go('');
  };
  /** The finger that held lifts: no click, and no menu of the browser. */
  const onLate = (event: Event): void => {
    if (!hasHeld) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const stop = new AbortController();
  const { signal } = stop;
  feed.addEventListener('pointerdown', onDown, { signal });
  feed.addEventListener('pointermove', onMove, { signal });
  feed.addEventListener('pointerup', onUp, { signal });
  feed.addEventListener('pointercancel', end, { signal });
  feed.addEventListener('contextmenu', onLate, { signal });
  feed.addEventListener('click', onLate, { signal, capture: true });
  return () => {
    end();
    stop.abort();
  };
}
