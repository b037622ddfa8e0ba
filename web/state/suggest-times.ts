import { t } from '#web/texts/texts.ts';
export interface Suggestion {
  label: string;
  /** In milliseconds since 1970. */
  atMs: number;
}

const HOUR_MS = 3_600_000;
const MORNING = 9;
const AFTERNOON = 15;

/**
 * Times that people mean by "later", in the zone of the browser, the next one first; none of them is closer than half an
 * hour.
 */
export function suggestTimes(now: Date): Suggestion[] {
  const at = (days: number, hour: number): number => {
    const date = new Date(now);
    date.setDate(date.getDate() + days);
    return date.setHours(hour, 0, 0, 0);
  };
  const nowMs = now.getTime();
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  const suggestions = [
    { label: t('suggestTimes.inOneHour'), atMs: nowMs + HOUR_MS },
    { label: t('suggestTimes.inThreeHours'), atMs: nowMs + 3 * HOUR_MS },
    { label: t('suggestTimes.thisMorning'), atMs: at(0, MORNING) },
    { label: t('suggestTimes.thisAfternoon'), atMs: at(0, AFTERNOON) },
    { label: t('suggestTimes.tomorrowMorning'), atMs: at(1, MORNING) },
    { label: t('suggestTimes.tomorrowAfternoon'), atMs: at(1, AFTERNOON) },
    ...(untilMonday > 1 ? [{ label: t('suggestTimes.mondayMorning'), atMs: at(untilMonday, MORNING) }] : []),
  ];
  return suggestions
    .filter(({ atMs }) => atMs >= nowMs + HOUR_MS / 2)
    .sort((earlier, later) => earlier.atMs - later.atMs);
}

/** This time of the next day, which may come after 23 or 25 hours. */
export const sameTimeTomorrow = (now: Date): number => new Date(now).setDate(now.getDate() + 1);

/** A time as a message carries it: each reader sees it in their own zone. To the minute, with the offset of the browser's zone. */
export function timeMark(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 16);
  const part = (minutes: number): string => String(minutes).padStart(2, '0');
  const ahead = Math.abs(offset);
  return `<time:${local}:00${offset < 0 ? '-' : '+'}${part(Math.floor(ahead / 60))}:${part(ahead % 60)}>`;
}
