import { logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';

/** Tells how long after its append a waiting poll found an entry; on AWS the line is there to be counted. */
export function noteSeen({ config, noteSeen: note }: Services, appendToSeenMs: number): void {
  note?.(appendToSeenMs);
  if (config.accessLog) logLine('info', 'Events were seen', { appendToSeenMs });
}
