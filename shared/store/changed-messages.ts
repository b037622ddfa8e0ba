import type { LogEntry } from './log-entry.ts';

/** The older messages of which entries say that they were changed, each once. */
export function changedMessageIds(entries: LogEntry[]): number[] {
  const payloads = entries
    .flatMap(({ events }) => events)
    .map(({ payload }) => payload as Record<string, unknown>);
  const ids = payloads
    .filter(({ type }) => type === 'update_message')
    .flatMap(({ message_ids: messageIds }) => messageIds as number[]);
  return [...new Set(ids)].sort((a, b) => a - b);
}
