import { t } from '#web/texts/texts.ts';

const MINUTE_MS = 60_000;

/** When a status that is set now may end: what people call it, and its time in milliseconds since 1970. */
export function statusEnds(now: Date): readonly (readonly [name: string, atMs: number | undefined])[] {
  const endOfDay = new Date(now).setHours(23, 59, 59, 0);
  const daysToSunday = (7 - now.getDay()) % 7;
  const endOfWeek = new Date(endOfDay).setDate(new Date(endOfDay).getDate() + daysToSunday);
  const after = (minutes: number): number => now.getTime() + minutes * MINUTE_MS;
  return [
    [t('statusTimes.dontClear'), undefined],
    ['30 minutes', after(30)],
    ['1 hour', after(60)],
    ['3 hours', after(180)],
    [t('statusTimes.today'), endOfDay],
    [t('statusTimes.thisWeek'), endOfWeek],
  ];
}
