import { isModified, sideways } from './direction.ts';

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex], video, audio';

const isSeen = (element: HTMLElement): boolean => element.checkVisibility({ visibilityProperty: true });

/** What can have the focus in a place, in its order. */
const focusables = (place: Element): HTMLElement[] =>
  [...place.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => !element.matches(':disabled, [hidden], [data-message-id]') && isSeen(element),
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
      current = all.find((element) => element.matches('[aria-current]')) ?? all[0];
    for (const element of all) element.tabIndex = element === current ? 0 : -1;
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
    if (index < 0 || !next || isModified(event) || event.target instanceof HTMLInputElement) return;
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

/** Takes the controls of messages out of the Tab order; at least the newest message stays in it. */
function settleMessages(feed: HTMLElement): void {
  const rows = [...feed.querySelectorAll<HTMLElement>('[data-message-id]')];
  const controls = rows.flatMap((row) => [...row.querySelectorAll<HTMLElement>(FOCUSABLE)]);
  for (const control of controls.filter((element) => !isWritten(element)))
    control.tabIndex = isScrolled(control) ? 0 : -1;
  const last = rows.at(-1);
  if (last && !rows.some(({ tabIndex }) => tabIndex === 0)) last.tabIndex = 0;
}

/** The element that a key leads to from a message or from a control in it. */
function neighbor(row: HTMLElement, from: HTMLElement, key: string): HTMLElement | undefined {
  const inside = focusables(row);
  const index = inside.indexOf(from);
  const way = sideways(key);
  if (way === 'on') return inside[index + 1];
  if (from === row) return undefined;
  if (way === 'back') return inside[index - 1] ?? row;
  return key === 'Escape' ? row : undefined;
}

/**
 * Makes each message of a feed one stop: → enters it, ← and → move inside, Escape leads back to the message.
 * Returns a function that stops this.
 */
export function roveMessages(feed: HTMLElement): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || isWritten(target) || isModified(event)) return;
    const row = target.closest<HTMLElement>('[data-message-id]');
    if (!row) return;
    const next = neighbor(row, target, key);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  };
  feed.addEventListener('keydown', onKey);
  const stop = whenChanged(feed, () => settleMessages(feed));
  return () => {
    stop();
    feed.removeEventListener('keydown', onKey);
  };
}
