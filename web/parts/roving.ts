import { sideways } from './direction.ts';

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex], video, audio';

const isSeen = (element: HTMLElement): boolean => element.checkVisibility({ visibilityProperty: true });

/** What can have the focus in a place, in its order. */
const focusables = (place: Element): HTMLElement[] =>
  [...place.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (one) => !one.matches(':disabled, [hidden], [data-message-id]') && isSeen(one),
  );

/** Runs something now and whenever a place gets or loses elements, once for a frame; returns what ends it. */
function whenChanged(place: Element, run: () => void): () => void {
  let frame = 0;
  const later = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      run();
    });
  };
  const changes = new MutationObserver(later);
  changes.observe(place, { childList: true, subtree: true });
  later();
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
  };
}

/**
 * Makes a list of links and buttons one stop of the Tab key: arrows, Home and End move within it, and Tab comes back to the
 * one that had the focus last. Returns what ends it.
 */
export function rove(list: HTMLElement): () => void {
  let current: HTMLElement | undefined;
  const settle = (): void => {
    const all = focusables(list);
    if (!current || !all.includes(current))
      current = all.find((one) => one.matches('[aria-current]')) ?? all[0];
    for (const one of all) one.tabIndex = one === current ? 0 : -1;
  };
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === current) return;
    if (current) current.tabIndex = -1;
    current = target;
    target.tabIndex = 0;
  };
  const onKey = (event: KeyboardEvent): void => {
    const all = focusables(list);
    const index = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: all.length - 1 }[event.key];
    const next = to === undefined ? undefined : all[to];
    if (index < 0 || !next || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  };
  list.addEventListener('focusin', onFocus);
  list.addEventListener('keydown', onKey);
  const stop = whenChanged(list, settle);
  return () => {
    stop();
    list.removeEventListener('focusin', onFocus);
    list.removeEventListener('keydown', onKey);
  };
}

const isWritten = (element: Element): boolean => element.closest('form, dialog') !== null;

/** What scrolls sideways must be reached by Tab, since nothing else scrolls it. */
const isScrolled = (element: Element): boolean =>
  element.matches('pre, .table-box') && element.scrollWidth > element.clientWidth;

/**
 * Makes each message of a feed one stop: → enters it, ← and → move inside, Escape leads back to the message.
 * Returns a function that stops this.
 */
export function roveMessages(feed: HTMLElement): () => void {
  const settle = (): void => {
    const rows = [...feed.querySelectorAll<HTMLElement>('[data-message-id]')];
    for (const row of rows)
      for (const one of row.querySelectorAll<HTMLElement>(FOCUSABLE))
        if (!isWritten(one)) one.tabIndex = isScrolled(one) ? 0 : -1;
    const last = rows.at(-1);
    if (last && !rows.some(({ tabIndex }) => tabIndex === 0)) last.tabIndex = 0;
  };
  const onKey = (event: KeyboardEvent): void => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || isWritten(target)) return;
    const row = target.closest<HTMLElement>('[data-message-id]');
    if (!row) return;
    const inside = focusables(row);
    const index = target === row ? -1 : inside.indexOf(target);
    const isInside = target !== row;
    let next: HTMLElement | undefined;
    const way = sideways(key);
    if (way === 'on') next = inside[index + 1];
    else if (way === 'back' && isInside) next = index > 0 ? inside[index - 1] : row;
    else if (key === 'Escape' && isInside) next = row;
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  };
  feed.addEventListener('keydown', onKey);
  const stop = whenChanged(feed, settle);
  return () => {
    stop();
    feed.removeEventListener('keydown', onKey);
  };
}
