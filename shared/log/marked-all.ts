import { hasReceived, isReadAsSent } from '#shared/domain/messages/access.ts';
import { unpackIds } from '#shared/domain/reading/id-list.ts';
import { readUpTo } from '#shared/domain/reading/marks.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload } from '#shared/events/catalogue.ts';
import { eventId } from '#shared/events/event-id.ts';
import type { ShapedEntry, ShapedEvent } from '#shared/events/shape.ts';
import { spellIds } from '#shared/events/shapers/flags.ts';
import { listFacts } from '#shared/store/message-facts.ts';
import { loadMarksBetween } from '#shared/store/read-state.ts';
import { listSubscriptions } from '#shared/store/subscriptions.ts';
import type { Table } from '#shared/table/table.ts';

/** So many positions of the log become one event, unless that made more events than an entry has ids for. */
const POSITIONS_PER_EVENT = 10_000;
const MAX_EVENTS = 4_000;
/** A poll that has found so many ids answers with them, and the next one goes on. */
const IDS_PER_REPLY = 50_000;

/** The event of an entry by which a user read everything before it, if the entry is one. */
export const findMarkAll = ({ events }: ShapedEntry, { userId }: User): EventPayload | undefined =>
  events.find(
    ({ audience, payload }) =>
      payload.unreadAfter !== undefined && audience.kind === 'users' && audience.userIds.includes(userId),
  )?.payload;

/**
 * The events that such an entry is for its user: the ids of what was unread before it, newest first, each event those
 * of one stretch of the log, whatever of them is empty left out. `isWhole` is false where more follow.
 *
 * The marks are those of now. They differ from those of then only for messages of which a later entry speaks: what
 * lies below a floor is never marked as read again without having been marked as unread first.
 */
export async function spellMarkAll(
  table: Table,
  user: User,
  position: number,
  payload: EventPayload,
  firstIndex: number,
): Promise<{ events: ShapedEvent[]; isWhole: boolean }> {
  const stretches = stretchesOf(Number(payload.unreadAfter), position - 1);
  const reopened = unpackIds(payload.ids as Uint8Array);
  const subscriptions = new Map(
    (await listSubscriptions(table, user.userId)).map((one) => [one.channelId, one]),
  );
  const events: ShapedEvent[] = [];
  let found = 0;
  for (let index = firstIndex; index < stretches.length; index++) {
    if (found >= IDS_PER_REPLY) return { events, isWhole: false };
    const [from, to] = stretches[index] ?? [0, 0];
    const ids = new Set(reopened.filter((id) => from <= id && id <= to));
    const marks = readUpTo(0);
    const isAboveFloor = index < stretches.length - 1;
    const [facts] = await Promise.all([
      isAboveFloor ? listFacts(table, from - 1, to) : [],
      isAboveFloor ? loadMarksBetween(table, user.userId, marks, from, to) : undefined,
    ]);
    for (const message of facts) {
      const isReceived = hasReceived(user, message, subscriptions);
      if (isReceived && !marks.isMarkedRead(message.messageId) && !isReadAsSent(user, message))
        ids.add(message.messageId);
    }
    if (ids.size === 0) continue;
    const sorted = [...ids].sort((a, b) => a - b);
    events.push({ ...spellIds(payload, sorted), id: eventId(position, index) });
    found += ids.size;
  }
  return { events, isWhole: true };
}

/** The positions after one and up to another, newest first, and then whatever comes before. The same at every call. */
function stretchesOf(after: number, upTo: number): [from: number, to: number][] {
  const size = Math.max(POSITIONS_PER_EVENT, Math.ceil((upTo - after) / MAX_EVENTS));
  const count = Math.ceil(Math.max(0, upTo - after) / size);
  const newestFirst = Array.from({ length: count }, (_, n): [number, number] => [
    Math.max(after, upTo - (n + 1) * size) + 1,
    upTo - n * size,
  ]);
  return [...newestFirst, [1, after]];
}
