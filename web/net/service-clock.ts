/** How far the clock of the service is before that of this device, in milliseconds. */
let aheadMs = 0;

/** The header has whole seconds, and an answer takes its time. */
const DOUBT_MS = 3_000;

/** Notes the time that an answer of the service names. */
export function noteServiceTime(date: string | null): void {
  const ms = Date.parse(date ?? '');
  if (Number.isNaN(ms)) return;
  const found = ms + 500 - Date.now();
  aheadMs = Math.abs(found) > DOUBT_MS ? found : 0;
}

/** The time of now by the clock of the service, which all times of messages and presence are from. */
export const serviceNowMs = (): number => Date.now() + aheadMs;
