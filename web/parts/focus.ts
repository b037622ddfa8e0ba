/** Places that take the focus when what had it in them is gone. */
const PLACES = 'article, form, section, dialog, main, nav, aside';

/** Moves the focus from a place that is left to the selected message, or to the page. */
export function rest(): void {
  const selected = document.querySelector<HTMLElement>('article[tabindex="0"]');
  focusOn(selected ?? document.querySelector<HTMLElement>('main'));
}

function focusOn(place: HTMLElement | null): void {
  if (!place) return;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;

/**
 * Keeps the focus from falling to the document when the control that has it is removed, or disabled for a while: keys and screen
 * readers would begin at the top again. Gives what ends it.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined;
  let places: HTMLElement[] = [];
  let wasDisabled = false;
  const note = ({ target }: Event): void => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    wasDisabled = false;
    places = [];
    for (let place = target.parentElement; place; place = place.parentElement)
      if (place.matches(PLACES)) places.push(place);
  };
  const forget = (): void => {
    wasDisabled = false;
  };
  const look = (): void => {
    if (!last) return;
    if (last.matches(':disabled')) wasDisabled = true;
    if (!isNowhere()) return;
    if (!last.isConnected)
      focusOn(places.find((place) => place.isConnected) ?? document.querySelector('main'));
    else if (wasDisabled && !last.matches(':disabled')) last.focus({ preventScroll: true });
  };
  const changes = new MutationObserver(look);
  changes.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  document.addEventListener('focusin', note);
  document.addEventListener('pointerdown', forget);
  return () => {
    changes.disconnect();
    document.removeEventListener('focusin', note);
    document.removeEventListener('pointerdown', forget);
  };
}
