type Fields = Record<string, unknown>;

/** Writes one JSON line. Callers pass no key, password or message content. */
export function logLine(level: 'info' | 'warn' | 'error', message: string, fields: Fields = {}): void {
  const line = JSON.stringify({ level, message, ...fields });
  if (level === 'info') console.log(line);
  else console.error(line);
}

/** The name, message and stack of anything thrown, in a form that can be logged. */
export function describeFailure(failure: unknown): Fields {
  if (!(failure instanceof Error)) return { failure: String(failure) };
  return { failure: failure.name, reason: failure.message, stack: failure.stack };
}
