/** Less than this is a bar of the browser. */
const LEAST_PX = 60;

/**
 * Sets `--keyboard`, the height that the keyboard of the screen covers. Browsers that make the page smaller for it, as
 * `interactive-widget` wants, leave 0; Safari lays its keyboard over the page and moves the page up. Returns what ends it.
 */
export function watchKeyboard(): () => void {
  const view = window.visualViewport;
  if (!view) return () => undefined;
  const root = document.documentElement;
  const put = (): void => {
    // A page that is enlarged by two fingers shows a part of itself.
    const covered = root.clientHeight - Math.round(view.height * view.scale);
    const isCovered = covered >= LEAST_PX;
    root.style.setProperty('--keyboard', isCovered ? `${covered}px` : '0px');
    if (isCovered && view.offsetTop > 0) scrollTo(0, 0);
  };
  put();
  const stop = new AbortController();
  view.addEventListener('resize', put, { signal: stop.signal });
  view.addEventListener('scroll', put, { signal: stop.signal });
  return () => stop.abort();
}
