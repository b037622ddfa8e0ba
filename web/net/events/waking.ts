const CHECK_MS = 5_000;
const ASLEEP_MS = 20_000;
/** Browsers let the timers of a hidden page run once a minute. */
const ASLEEP_HIDDEN_MS = 90_000;

/**
 * Detects what may have silently broken the connection: sleep, or a change of network. Returns a function that stops it.
 */
export function watchForWaking(onWake: () => void, onSeen: () => void): () => void {
  let lastCheck = Date.now();
  const check = (): void => {
    const now = Date.now();
    if (now - lastCheck > (document.hidden ? ASLEEP_HIDDEN_MS : ASLEEP_MS)) onWake();
    lastCheck = now;
  };
  const onVisible = (): void => {
    if (!document.hidden) onSeen();
  };
  const timer = setInterval(check, CHECK_MS);
  // What waits for events does not notice that the network went.
  window.addEventListener('offline', onWake);
  window.addEventListener('online', onWake);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    clearInterval(timer);
    window.removeEventListener('offline', onWake);
    window.removeEventListener('online', onWake);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
