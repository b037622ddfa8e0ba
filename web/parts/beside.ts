import { isRightToLeft } from './direction.ts';

const GAP_PX = 6;

/** Puts a box above or below its anchor, on the other side if there is no room; never beyond the window. */
export function putBeside(box: HTMLElement, anchor: DOMRect, side: 'above' | 'below'): void {
  const { width, height } = box.getBoundingClientRect();
  const above = anchor.top - GAP_PX - height;
  const below = anchor.bottom + GAP_PX;
  const isBelow = side === 'below' ? below + height <= innerHeight - GAP_PX : above <= GAP_PX;
  const start = isRightToLeft() ? anchor.right - width : anchor.left;
  const left = Math.min(Math.max(GAP_PX, start), Math.max(GAP_PX, innerWidth - width - GAP_PX));
  box.style.top = `${isBelow ? below : Math.max(GAP_PX, above)}px`;
  box.style.left = `${left}px`;
}
