type Fields = Record<string, unknown>;

/**
 * Writes one JSON line, past the console: Lambda's console would wrap it into another. Callers pass no key, password
 * or message content.
 */
export function logLine(level: 'info' | 'warn' | 'error', message: string, fields: Fields = {}): void {
  const stream = level === 'info' ? process.stdout : process.stderr;
  stream.write(`${JSON.stringify({ level, message, ...fields })}\n`);
}

/** The name, message and stack of anything thrown, in a form that can be logged. */
export function describeFailure(failure: unknown): Fields {
  if (!(failure instanceof Error)) return { failure: String(failure) };
  return { failure: failure.name, reason: failure.message, stack: failure.stack };
}
