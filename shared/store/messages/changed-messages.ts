import type { LogEntry } from '#shared/store/log/log-entry.ts';

/** The older messages that the entries changed, without duplicates. */
export function changedMessageIds(entries: LogEntry[]): number[] {
  const payloads = entries
    .flatMap(({ events }) => events)
    .map(({ payload }) => payload as Record<string, unknown>);
  const ids = payloads
    .filter(({ type }) => type === 'update_message')
    .flatMap(({ message_ids: messageIds }) => messageIds as number[]);
  return [...new Set(ids)].sort((a, b) => a - b);
}
