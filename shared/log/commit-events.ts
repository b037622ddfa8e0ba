import type { Change } from '#shared/domain/change.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Services } from '#shared/runtime/services.ts';
import { commit } from './commit.ts';

/** An item of the table holds 400 KB, and the entry of the log is one. */
const BYTES_PER_CHANGE = 150_000;

/** Commits a change with events that follow from it; those that find no room in its entry come in entries after it. */
export async function commitWithEvents(
  services: Services,
  change: Change,
  events: LogEvent[],
): Promise<void> {
  const [first = [], ...others] = divide(events);
  await commit(services, { ...change, events: [...(change.events ?? []), ...first] });
  for (const part of others) await commit(services, { events: part });
}

function divide(events: LogEvent[]): LogEvent[][] {
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
