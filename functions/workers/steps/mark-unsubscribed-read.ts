import type { Change } from '#shared/domain/change.ts';
import { hasReceived, isUnread } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listEntries } from '#shared/store/log.ts';
import { toEntry } from '#shared/store/log-entry.ts';
import { findReadFloor } from '#shared/store/read-state.ts';
import { findSubscription } from '#shared/store/subscriptions.ts';
import { getUser } from '#shared/store/users.ts';
import { keys, messageIndex, positionSortKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

interface Payload {
  rows: [userId: number, channelId: number][];
}

/** So many ids fit into one entry of the log. */
const IDS_PER_EVENT = 20_000;

/** The index is never further behind than this. */
const NEWEST_POSITIONS = 200;

/** What a user had not read in a channel that they left is read from now on; the step is one user and channel. */
export async function markUnsubscribedRead(
  services: Services,
  payload: Payload,
  step: number,
): Promise<Change | undefined> {
  const [userId, channelId] = payload.rows[step] ?? [0, 0];
  const left = await findUnread(services, userId, channelId);
  if (!left) return undefined;
  const chunks = chunk(left.messageIds, IDS_PER_EVENT);
  const last = chunks.pop();
  for (const ids of chunks) await commit(services, { events: [readEvent(userId, ids)] });
  return {
    writes: [
      {
        kind: 'update',
        key: keys.subscription(userId, channelId),
        set: { readThrough: left.leftAt },
        condition: { exists: true },
      },
    ],
    events: last ? [readEvent(userId, last)] : [],
  };
}

async function findUnread(
  { table }: Services,
  userId: number,
  channelId: number,
): Promise<{ leftAt: number; messageIds: number[] } | undefined> {
  const subscription = await findSubscription(table, userId, channelId);
  const leftAt = subscription?.intervals.findLast(([, to]) => to !== null)?.[1];
  if (!subscription || leftAt === undefined || leftAt === null || leftAt <= subscription.readThrough)
    return undefined;
  const [user, floor] = await Promise.all([getUser(table, userId), findReadFloor(table, userId)]);
  const messages = await listChannelMessages(
    table,
    channelId,
    Math.max(subscription.readThrough, floor) + 1,
    leftAt,
  );
  const messageIds = messages
    .filter(
      (message) => hasReceived(user, message, subscription) && isUnread(user, message, subscription, floor),
    )
    .map(({ messageId }) => messageId);
  return { leftAt, messageIds };
}

/** The messages of a channel within bounds. The index may lag, so the newest are read from the log itself. */
async function listChannelMessages(
  table: Table,
  channelId: number,
  from: number,
  to: number,
): Promise<Message[]> {
  const indexed = await table.list({
    index: messageIndex.byChannel,
    partition: messageIndex.channel(channelId),
    from: positionSortKey(from),
    to: positionSortKey(to),
  });
  const newest = await listEntries(table, Math.max(from, to - NEWEST_POSITIONS), to);
  const byId = new Map<number, Message>();
  for (const { position, message } of [...indexed.map(toEntry), ...newest])
    if (message?.kind === 'channel' && message.channelId === channelId)
      byId.set(position, { ...message, messageId: position });
  return [...byId.values()].sort((a, b) => a.messageId - b.messageId);
}

const readEvent = (userId: number, messageIds: number[]): LogEvent => ({
  audience: { kind: 'users', userIds: [userId] },
  payload: {
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag: 'read',
    messages: messageIds,
    all: false,
  },
});

const chunk = <One>(all: One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
