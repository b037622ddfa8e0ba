type Fields = Record<string, unknown>;

/**
 * Writes one JSON line, bypassing the console, which Lambda would wrap. Callers must not pass keys, passwords
 * or message content.
 */
export function logLine(level: 'info' | 'warn' | 'error', message: string, fields: Fields = {}): void {
  const stream = level === 'info' ? process.stdout : process.stderr;
  stream.write(`${JSON.stringify({ level, message, ...fields })}\n`);
}

/** Name, message and stack of any thrown value, ready to be logged. */
export function describeFailure(failure: unknown): Fields {
  if (!(failure instanceof Error)) return { failure: String(failure) };
  return { failure: failure.name, reason: failure.message, stack: failure.stack };
}
