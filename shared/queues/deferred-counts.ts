import { RateLimitHit } from '#shared/domain/errors.ts';
import type { Fields } from '#shared/domain/snapshot/deferred.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listEntries, readCounter } from '#shared/store/log/log.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';

const ATTEMPTS = 25;
/** Clients that are further behind get the present counts. */
const MAX_POSITIONS = 5_000;
const CHANNEL_LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'];

/**
 * Channel fields with subscribers and their counts as of a position, because clients without subscriber lists apply the
 * later subscription events to the counts. The owner's own changes stay in the counts: the records include them, and
 * a client that knows it counts nothing when the event of it comes.
 * @throws RateLimitHit if people come and go all the time
 */
export async function withCountsOfThen(
  { table }: Services,
  { position, ownerId }: { position: number; ownerId: number },
  load: () => Promise<Fields>,
): Promise<Fields> {
  if ((await readCounter(table)) - position > MAX_POSITIONS) return load();
  const listMoves = async (): Promise<Move[]> =>
    (await listEntries(table, position + 1, await readCounter(table))).flatMap((entry) =>
      movesOf(entry, ownerId),
    );
  let before = await listMoves();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const fields = await load();
    const after = await listMoves();
    // A move that came during the load may or may not be in the counts, whenever its position was given out.
    if (after.length === before.length) return undo(fields, after);
    before = after;
  }
  throw new RateLimitHit(1);
}

/** Users who came to channels or left them. */
interface Move {
  channelIds: number[];
  isArrival: boolean;
  userIds: number[];
}

const movesOf = ({ events }: LogEntry, ownerId: number): Move[] =>
  events.flatMap(({ payload }) => {
    if (payload.type !== 'subscription') return [];
    if (payload.op !== 'peer_add' && payload.op !== 'peer_remove') return [];
    const userIds = payload.user_ids.filter((userId) => userId !== ownerId);
    return [{ channelIds: payload.stream_ids, isArrival: payload.op === 'peer_add', userIds }];
  });

interface ChannelEntry {
  stream_id: number;
  subscriber_count: number;
  subscribers?: number[];
  partial_subscribers?: number[];
}

function undo(fields: Fields, moves: Move[]): Fields {
  const latestFirst = moves.toReversed();
  const lists = CHANNEL_LISTS.map((name) => {
    const records = (fields[name] ?? []) as ChannelEntry[];
    return [name, records.map((record) => undoMoves(record, latestFirst))];
  });
  return { ...fields, ...Object.fromEntries(lists) };
}

/** The record without the moves. Its lists agree with its count, also for a client with half of its events from before. */
function undoMoves(record: ChannelEntry, latestFirst: Move[]): ChannelEntry {
  const listed = record.subscribers ? 'subscribers' : 'partial_subscribers';
  const userIds = new Set(record[listed]);
  let count = record.subscriber_count;
  for (const { isArrival, userIds: movedIds } of latestFirst.filter(concerns(record))) {
    count += isArrival ? -movedIds.length : movedIds.length;
    for (const userId of movedIds)
      if (isArrival) userIds.delete(userId);
      else userIds.add(userId);
  }
  const list = [...userIds].sort((a, b) => a - b);
  return { ...record, subscriber_count: count, ...(record[listed] && { [listed]: list }) };
}

const concerns =
  ({ stream_id: channelId }: ChannelEntry) =>
  ({ channelIds }: Move): boolean =>
    channelIds.includes(channelId);
