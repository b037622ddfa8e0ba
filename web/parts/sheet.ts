import { isNarrow } from './narrow.ts';

/** A finger that moves less does not pull yet. */
const START_PX = 3;
/** A sheet that is pulled by this part of its height closes. */
const FAR_PART = 0.3;
const FAST_PX_PER_MS = 0.6;

/** What has its own use of a finger that moves down. */
const OWN_USE = 'input, textarea, select, [role=slider]';

/** Whether the touched place can be scrolled up: then the finger scrolls. */
function scrollsUp(target: Element, box: Element): boolean {
  for (let place: Element | null = target; place && place !== box.parentElement; place = place.parentElement)
    if (place.scrollTop > 0) return true;
  return false;
}

/** Closes a sheet that is pulled down by a finger. Returns what ends it. */
export function watchPull(box: HTMLElement, close: () => void): () => void {
  let start: { x: number; y: number; atMs: number } | undefined;
  let pulledPx: number | undefined;
  const put = (px: number, isGradual: boolean): void => {
    box.style.transition = isGradual ? 'translate var(--motion) ease-out' : 'none';
    box.style.translate = px === 0 ? '' : `0 ${px}px`;
  };
  const onStart = ({ touches, target, timeStamp }: TouchEvent): void => {
    const [touch] = touches;
    start = undefined;
    if (!isNarrow() || touches.length !== 1 || !touch || !(target instanceof Element)) return;
    if (target.closest(OWN_USE) || scrollsUp(target, box)) return;
    start = { x: touch.clientX, y: touch.clientY, atMs: timeStamp };
  };
  const onMove = (event: TouchEvent): void => {
    const [touch] = event.touches;
    if (!start || !touch) return;
    const down = touch.clientY - start.y;
    const across = Math.abs(touch.clientX - start.x);
    if (pulledPx === undefined) {
      if (Math.max(Math.abs(down), across) < START_PX) return;
      if (down < across) {
        start = undefined;
        return;
      }
    }
    event.preventDefault();
    pulledPx = Math.max(0, down);
    put(pulledPx, false);
  };
  const onEnd = async ({ type, timeStamp }: TouchEvent): Promise<void> => {
    if (!start || pulledPx === undefined) return;
    const [px, ms] = [pulledPx, Math.max(1, timeStamp - start.atMs)];
    start = undefined;
    pulledPx = undefined;
    const isFar = px > box.offsetHeight * FAR_PART || px / ms > FAST_PX_PER_MS;
    if (type === 'touchcancel' || !isFar) {
      put(0, true);
      return;
    }
    put(box.offsetHeight, true);
    await Promise.allSettled(box.getAnimations().map(({ finished }) => finished));
    close();
    put(0, false);
  };
  const stop = new AbortController();
  const { signal } = stop;
  box.addEventListener('touchstart', onStart, { signal, passive: true });
  box.addEventListener('touchmove', onMove, { signal, passive: false });
  box.addEventListener('touchend', onEnd, { signal });
  box.addEventListener('touchcancel', onEnd, { signal });
  return () => stop.abort();
}
