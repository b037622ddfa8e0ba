import type { Channel } from './channel.ts';

const WEEKS = 4;
/** Messages are counted over so long, and younger channels have too little to count. */
export const TRAFFIC_SECONDS = WEEKS * 7 * 24 * 3600;

/** Messages a week on average, in two significant digits; null for a channel that is too young. */
export function weeklyTraffic(
  { createdAtSeconds }: Channel,
  messageCount: number,
  nowSeconds: number,
): number | null {
  if (nowSeconds - createdAtSeconds < TRAFFIC_SECONDS) return null;
  const average = Math.round(messageCount / WEEKS);
  return Number(average.toPrecision(2));
}
