import { computed } from '@preact/signals';
import { clock } from '#web/net/presence.ts';
import { serviceNowMs } from '#web/net/service-clock.ts';
import { state } from '#web/net/store.ts';
import { currentLocale } from '#web/texts/texts.ts';

/** Dates and times in the language of the page, with the hours of the viewer's settings. Timestamps are seconds since 1970. */

const settings = computed(() => state.value?.server.user_settings);
const isOwnDay24Hours = (): boolean => settings.value?.twenty_four_hour_time ?? true;

const zone = computed(() => {
  // A zone has no event: it is looked at with each tick of the clock.
  void clock.value;
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
});

/** The zone and the day of the viewer. Views that show times follow midnight, and a zone that changes while they are open. */
export const calendar = computed(() => `${zone.value} ${new Date(clock.value).toDateString()}`);

const cached = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const zoned = { timeZone: zone.value, ...options };
  const key = `${currentLocale()} ${JSON.stringify(zoned)}`;
  const made = cached.get(key) ?? new Intl.DateTimeFormat(currentLocale(), zoned);
  cached.set(key, made);
  return made;
}

/** As `16:42`, or `4:42 PM`. */
export const timeOf = (timestamp: number, is24Hours: boolean): string =>
  format({ hour: is24Hours ? '2-digit' : 'numeric', minute: '2-digit', hour12: !is24Hours }).format(
    timestamp * 1000,
  );

/** As `Friday, 20 November`; with the year if it is not the current one. */
export function dayLabel(timestamp: number): string {
  const [date, now] = [new Date(timestamp * 1000), today()];
  const days = daysBetween(date, now);
  if (days === 0 || days === 1) return capitalized(relative().format(-days, 'day'));
  const isThisYear = date.getFullYear() === now.getFullYear();
  return format({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  }).format(date);
}

const relative = (): Intl.RelativeTimeFormat =>
  new Intl.RelativeTimeFormat(currentLocale(), { numeric: 'auto' });

const capitalized = (text: string): string =>
  text.charAt(0).toLocaleUpperCase(currentLocale()) + text.slice(1);

/** As `20 November 2026`. */
export const dateOf = (timestamp: number): string => format({ dateStyle: 'long' }).format(timestamp * 1000);

/** The time of day in a time zone; undefined if the browser does not know the zone. */
export function clockIn(timeZone: string, nowMs: number): string | undefined {
  try {
    return format({ timeStyle: 'short', hour12: !isOwnDay24Hours(), timeZone }).format(nowMs);
  } catch {
    return undefined;
  }
}

const startOfDay = (date: Date): number => new Date(date).setHours(0, 0, 0, 0);

/** Days of the calendar; one may have 23 or 25 hours. */
const daysBetween = (from: Date, to: Date): number =>
  Math.round((startOfDay(to) - startOfDay(from)) / 86_400_000);

/** The time of now, which a view follows at midnight and to another zone. */
function today(): Date {
  void calendar.value;
  return new Date(serviceNowMs());
}

/** The time of now; a view that reads it is drawn again each minute. */
export function thisMinute(): Date {
  void clock.value;
  return new Date(serviceNowMs());
}

/** Date and time, for tooltips and lists. */
export const momentOf = (timestamp: number, is24Hours = isOwnDay24Hours()): string =>
  format({ dateStyle: 'medium', timeStyle: 'short', hour12: !is24Hours }).format(timestamp * 1000);

/** When a message came, as lists say it: the time of today, yesterday, the day of this week, or the date. */
export function whenOf(timestamp: number, is24Hours: boolean): string {
  const date = new Date(timestamp * 1000);
  const days = daysBetween(date, today());
  if (days <= 0) return timeOf(timestamp, is24Hours);
  if (days === 1) return capitalized(relative().format(-1, 'day'));
  if (days < 7) return format({ weekday: 'long' }).format(date);
  return format({ day: 'numeric', month: 'short' }).format(date);
}

/** Day and time without the year, for times within some days. */
export const soonOf = (timestamp: number): string =>
  format({
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hour12: !isOwnDay24Hours(),
  }).format(timestamp * 1000);

const ranges: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** As `3 hours ago`. */
export function agoOf(timestamp: number, nowMs: number): string {
  const seconds = timestamp - nowMs / 1000;
  const found = ranges.find(([, length]) => Math.abs(seconds) >= length);
  return found ? relative().format(Math.round(seconds / found[1]), found[0]) : relative().format(0, 'second');
}
