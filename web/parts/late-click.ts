/** A click that comes later than this after a finger was lifted is another one. */
const LATE_CLICK_MS = 400;

/** Drops the click of a finger that lifts: it would press what has opened under it. */
export function dropLateClick(): void {
  const stop = new AbortController();
  const options = { signal: stop.signal, capture: true };
  const drop = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('click', drop, options);
  document.addEventListener('pointerdown', () => stop.abort(), options);
  setTimeout(() => stop.abort(), LATE_CLICK_MS);
}
