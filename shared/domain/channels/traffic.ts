import type { Channel } from './channel.ts';

const WEEKS = 4;
/** Traffic is averaged over this time; younger channels have too little data. */
export const TRAFFIC_SECONDS = WEEKS * 7 * 24 * 3600;

/** Average messages per week with two significant digits; null for a channel that is too young. */
export function weeklyTraffic(
  { createdAtSeconds }: Channel,
  messageCount: number,
  nowSeconds: number,
): number | null {
  if (nowSeconds - createdAtSeconds < TRAFFIC_SECONDS) return null;
  const average = Math.round(messageCount / WEEKS);
  return Number(average.toPrecision(2));
}
