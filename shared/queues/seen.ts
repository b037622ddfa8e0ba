import { logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';

/** Reports how long after its append a waiting poll found an entry; on AWS a metric counts the line. */
export function noteSeen({ config, noteSeen: note }: Services, appendToSeenMs: number): void {
  note?.(appendToSeenMs);
  if (config.accessLog) logLine('info', 'Events were seen', { appendToSeenMs });
}
