/** Names begin with capitals; what else the platform takes, such as offsets, is no name. */
const NAME = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/;
const MAX_LENGTH = 40;

/** Whether this is the name of a time zone, as the IANA list spells it. */
export function isTimezone(name: string): boolean {
  if (name.length > MAX_LENGTH || !NAME.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
