/** The recent failures of a bot's server. */
export interface WebhookHealth {
  /** When the latest calls failed, at most twenty, without a success after them. */
  failedAtSeconds: number[];
  /** Calls are made again from this time on. */
  pausedUntilSeconds: number;
  revision: number;
}

export const healthy: WebhookHealth = { failedAtSeconds: [], pausedUntilSeconds: 0, revision: 0 };

/** So many failures in a row pause the calls. */
export const FAILURES_BEFORE_PAUSE = 20;
const WITHIN_SECONDS = 600;
export const PAUSE_MINUTES = 15;

export const isPaused = ({ pausedUntilSeconds }: WebhookHealth, nowSeconds: number): boolean =>
  nowSeconds < pausedUntilSeconds;

/** The health after a failure: twenty in a row within ten minutes pause the bot. */
export function failedOnce(health: WebhookHealth, nowSeconds: number): WebhookHealth {
  const failedAtSeconds = [...health.failedAtSeconds, nowSeconds].slice(-FAILURES_BEFORE_PAUSE);
  const [first = nowSeconds] = failedAtSeconds;
  const pauses = failedAtSeconds.length === FAILURES_BEFORE_PAUSE && nowSeconds - first <= WITHIN_SECONDS;
  return {
    failedAtSeconds: pauses ? [] : failedAtSeconds,
    pausedUntilSeconds: pauses ? nowSeconds + PAUSE_MINUTES * 60 : health.pausedUntilSeconds,
    revision: health.revision + 1,
  };
}
