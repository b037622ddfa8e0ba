const ISO_8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?: ?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d))?)?$/i;

/**
 * The time of an ISO 8601 text in milliseconds since 1970, or undefined if it is none. A time without a zone
 * is in UTC, and a day without a time is its beginning.
 */
export function readIsoTimeMs(text: string): number | undefined {
  const [whole, year = '', month = '', day = '', time = '00:00', zone = 'Z'] = ISO_8601.exec(text) ?? [];
  if (whole === undefined || !isCalendarDay(Number(year), Number(month), Number(day))) return undefined;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const milliseconds = Date.parse(`${year}-${month}-${day}T${time}${offset}`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the month has this day. The Date constructor takes 30 February for 2 March. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (DAYS_OF_MONTH[month - 1] ?? 0);
  return day >= 1 && day <= days;
}
