import type { Change } from '#shared/domain/change.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Services } from '#shared/runtime/services.ts';
import { commit } from './commit.ts';

/** The log entry is one item of at most 400 KB. */
const BYTES_PER_CHANGE = 150_000;

/**
 * Commits a change with additional events; events that do not fit into its entry follow in entries of their
 * own.
 */
export async function commitWithEvents(
  services: Services,
  change: Change,
  events: LogEvent[],
): Promise<void> {
  const [first = [], ...others] = entriesOf(events);
  await commit(services, { ...change, events: [...(change.events ?? []), ...first] });
  for (const part of others) await commit(services, { events: part });
}

/** Splits the events into parts that fit into one entry each. */
function entriesOf(events: LogEvent[]): LogEvent[][] {
  const parts: LogEvent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const size = new TextEncoder().encode(JSON.stringify(event)).length;
    bytes += size;
    if (bytes > BYTES_PER_CHANGE) {
      parts.push([]);
      bytes = size;
    }
    parts.at(-1)?.push(event);
  }
  return parts;
}
