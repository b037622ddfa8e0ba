import type { EventPayload, LogEvent } from '#shared/events/catalogue.ts';

/** An event of any type, read without its type, because a test knows the fields that it expects. */
export type AnyPayload = { type: string; op?: string } & Record<string, unknown>;

/** An event of the log, whatever fields a test gives it. */
export const logEvent = (
  payload: AnyPayload,
  audience: LogEvent['audience'] = { kind: 'everyone' },
): LogEvent => ({
  audience,
  payload: payload as EventPayload,
});
