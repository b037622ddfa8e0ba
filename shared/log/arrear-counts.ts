import type { Fields } from '#shared/domain/snapshot/arrears.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listEntries, readCounter } from '#shared/store/log.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';

const ATTEMPTS = 5;
/** Of a client that comes later than this, the numbers are those of now. */
const MAX_POSITIONS = 5_000;
const CHANNEL_LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'];

/**
 * The fields that tell of channels, with the numbers of subscribers as of a position: clients that are told no subscribers
 * count those of whom the log says that they came and went.
 */
export async function withCountsOfThen(
  { table }: Services,
  position: number,
  load: () => Promise<Fields>,
): Promise<Fields> {
  for (let attempt = 1; ; attempt++) {
    const before = await readCounter(table);
    const fields = await load();
    if (before - position > MAX_POSITIONS) return fields;
    const entries = await listEntries(table, position + 1, await readCounter(table));
    // What comes while channels are read may be in their numbers or not.
    const isSettled = !entries.some((entry) => entry.position > before && movesOf(entry).length > 0);
    if (isSettled || attempt === ATTEMPTS) return undo(fields, entries);
  }
}

interface Move {
  channelIds: number[];
  by: number;
}

const movesOf = ({ events }: LogEntry): Move[] =>
  events.flatMap(({ payload }) => {
    const isMove = payload.type === 'subscription' && /^peer_(add|remove)$/.test(payload.op ?? '');
    if (!isMove) return [];
    const count = (payload.user_ids as number[]).length;
    return [{ channelIds: payload.stream_ids as number[], by: payload.op === 'peer_add' ? count : -count }];
  });

function undo(fields: Fields, entries: LogEntry[]): Fields {
  const since = new Map<number, number>();
  for (const { channelIds, by } of entries.flatMap(movesOf))
    for (const channelId of channelIds) since.set(channelId, (since.get(channelId) ?? 0) + by);
  const lists = CHANNEL_LISTS.map((name) => {
    const records = (fields[name] ?? []) as { stream_id: number; subscriber_count: number }[];
    const then = records.map((record) => ({
      ...record,
      subscriber_count: record.subscriber_count - (since.get(record.stream_id) ?? 0),
    }));
    return [name, then];
  });
  return { ...fields, ...Object.fromEntries(lists) };
}
