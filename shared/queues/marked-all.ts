import { hasReceived, isReadAsSent } from '#shared/domain/messages/access.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { unpackIds } from '#shared/domain/reading/id-list.ts';
import { type Marks, readUpTo } from '#shared/domain/reading/marks.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload, PayloadOf } from '#shared/events/catalogue.ts';
import { eventId } from '#shared/events/event-id.ts';
import type { ShapedEntry, ShapedEvent } from '#shared/events/shape.ts';
import { spellIds } from '#shared/events/shapers/flags.ts';
import { listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import { listFacts } from '#shared/store/messages/message-facts.ts';
import { loadMarksBetween } from '#shared/store/reading/read-state.ts';
import type { Table } from '#shared/table/table.ts';

/** The log positions per event, fewer if an entry would get more events than ids. */
const POSITIONS_PER_EVENT = 10_000;
const MAX_EVENTS = 4_000;
/** A poll with this many ids answers, and the next one continues. */
const IDS_PER_REPLY = 50_000;

/** The "mark all as read" event of an entry, if it has one. */
export const findMarkAll = ({ events }: ShapedEntry, { userId }: User): MarkAll | undefined =>
  events
    .filter(({ audience }) => audience.kind === 'users' && audience.userIds.includes(userId))
    .map(({ payload }) => payload)
    .find(isMarkAll);

type MarkAll = PayloadOf<'update_message_flags/add'> & { unreadAfter: number };

const isMarkAll = (payload: EventPayload): payload is MarkAll =>
  'unreadAfter' in payload && payload.unreadAfter !== undefined;

/**
 * The events of "mark all as read" for its user, starting at an index: the ids that were unread before,
 * newest first, one event per stretch of the log without empty ones. `isWhole` is false if more follow.
 *
 * The marks are the present ones, as marks as read below a floor do not change. Messages that a call at the same time
 * marked as read are named too.
 */
export async function listMarkedRead(
  table: Table,
  user: User,
  { position }: ShapedEntry,
  payload: MarkAll,
  firstIndex: number,
): Promise<{ events: ShapedEvent[]; isWhole: boolean }> {
  const stretches = stretchesOf(payload.unreadAfter, position - 1);
  const reopened = unpackIds(payload.ids);
  const subscriptions = new Map(
    (await listSubscriptions(table, user.userId)).map((subscription) => [
      subscription.channelId,
      subscription,
    ]),
  );
  const wasUnread = (message: MessageFacts, marks: Marks): boolean =>
    hasReceived(user, message, subscriptions) &&
    !marks.wasMarkedRead(message.messageId, position) &&
    !isReadAsSent(user, message);
  const events: ShapedEvent[] = [];
  let found = 0;
  for (const [index, [from, to]] of [...stretches.entries()].slice(firstIndex)) {
    if (found >= IDS_PER_REPLY) return { events, isWhole: false };
    const ids = new Set(reopened.filter((id) => from <= id && id <= to));
    const marks = readUpTo(0);
    const isAboveFloor = index < stretches.length - 1;
    const [facts] = await Promise.all([
      isAboveFloor ? listFacts(table, from - 1, to) : [],
      isAboveFloor ? loadMarksBetween(table, user.userId, marks, from, to) : undefined,
    ]);
    for (const message of facts) if (wasUnread(message, marks)) ids.add(message.messageId);
    if (ids.size === 0) continue;
    const sorted = [...ids].sort((a, b) => a - b);
    events.push({ ...spellIds(payload, sorted), id: eventId(position, index) });
    found += ids.size;
  }
  return { events, isWhole: true };
}

/** The positions between two others, newest first, and then all before. Equal at every call. */
function stretchesOf(after: number, upTo: number): [from: number, to: number][] {
  const size = Math.max(POSITIONS_PER_EVENT, Math.ceil((upTo - after) / MAX_EVENTS));
  const count = Math.ceil(Math.max(0, upTo - after) / size);
  const newestFirst = Array.from({ length: count }, (_, n): [number, number] => [
    Math.max(after, upTo - (n + 1) * size) + 1,
    upTo - n * size,
  ]);
  return [...newestFirst, [1, after]];
}
