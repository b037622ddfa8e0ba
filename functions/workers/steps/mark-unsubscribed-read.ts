import type { Change } from '#shared/domain/change.ts';
import { chunksOf } from '#shared/domain/chunks.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { isUnread } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { readChanges } from '#shared/domain/reading/changes.ts';
import { flagEvent } from '#shared/domain/reading/events.ts';
import type { Marks } from '#shared/domain/reading/marks.ts';
import { wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import { commit } from '#shared/log/commit.ts';
import { readHead } from '#shared/log/head.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findSubscription, listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import { listEntries, listLogged, readCounter } from '#shared/store/log/log.ts';
import { type Logged, toEntry } from '#shared/store/log/log-entry.ts';
import { listFactsById } from '#shared/store/messages/message-facts.ts';
import { loadMarkBlocks, loadMarksBetween, openMarks } from '#shared/store/reading/read-state.ts';
import { getUser } from '#shared/store/users/users.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { messageIndex, positionSortKey } from '#shared/table/keys/log.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { type Table, Throttled } from '#shared/table/table.ts';

/** This many ids fit into one log entry. */
const IDS_PER_EVENT = 20_000;

/** Older messages are in the index. */
const INDEX_LAG_MS = 10_000;
const POSITIONS_AT_ONCE = 50;

/** How long to wait for the log: longer than holes exist. */
const PATIENCE = { attempts: 20, pauseMs: 200 };

/**
 * Marks the unread messages of a channel as read for a user who left it; the step is one user and channel.
 * Messages after a new subscription stay unread.
 */
export async function markUnsubscribedRead(
  services: Services,
  payload: JobPayloads['mark-unsubscribed-read'],
  step: number,
  leftAt: number,
): Promise<Change | undefined> {
  const row = payload.rows[step];
  if (!row) return undefined;
  const [userId, channelId] = row;
  const left = await findUnread(services, userId, channelId, leftAt);
  if (!left) return undefined;
  const { marks, messageIds, readThrough } = left;
  const [reopened, others] = split(messageIds, (id) => marks.isMarkedUnread(id));
  for (const change of readChanges({ userId, marks }, reopened)) await commit(services, change);
  const chunks = chunksOf(others, IDS_PER_EVENT);
  const last = chunks.pop();
  const readEvent = (ids: number[]) => flagEvent(userId, { flag: 'read', op: 'add' }, ids);
  for (const ids of chunks) await commit(services, { events: [readEvent(ids)] });
  return {
    writes: [
      {
        kind: 'update',
        key: channelKeys.subscription(userId, channelId),
        set: { readThrough: leftAt },
        // Another job of the same user and channel may have marked some of them meanwhile.
        condition: { exists: true, belowOrAbsent: { readThrough: readThrough + 1 } },
      },
      // A user who has subscribed again may have marked messages as unread.
      { kind: 'check', key: userKeys.readState(userId), condition: unchanged(marks) },
    ],
    events: last ? [readEvent(last)] : [],
  };
}

interface Left {
  marks: Marks;
  messageIds: number[];
  /** The subscription's read position when they were unread. */
  readThrough: number;
}

async function findUnread(
  services: Services,
  userId: number,
  channelId: number,
  leftAt: number,
): Promise<Left | undefined> {
  const { table } = services;
  const subscription = await findSubscription(table, userId, channelId);
  if (!subscription || leftAt <= subscription.readThrough) return undefined;
  await waitUntilFilled(services, leftAt);
  const [user, marks, all] = await Promise.all([
    getUser(table, userId),
    openMarks(table, userId),
    listSubscriptions(table, userId),
  ]);
  const subscriptions = new Map(all.map((channel) => [channel.channelId, channel]));
  // Messages moved here after the user's last departure may be older than it.
  const from = marks.state.floor + 1;
  const [messages] = await Promise.all([
    listChannelMessages(services, channelId, from, leftAt),
    loadMarksBetween(table, userId, marks, from, leftAt),
    loadMarkBlocks(table, userId, marks, [...marks.state.unreadBlocks]),
  ]);
  const reopened = await listFactsById(
    table,
    marks.listMarkedUnread().filter((id) => id <= leftAt),
  );
  const messageIds = [
    ...messages.filter((message) => isUnread(user, message, subscriptions, marks)),
    ...reopened.filter((message) => message.kind === 'channel' && message.channelId === channelId),
  ].map(({ messageId }) => messageId);
  // Users who left get no events of deletions and would keep such messages as unread.
  const deletedIds = (await listDeletedSince(table, channelId, leftAt)).filter(
    (id) =>
      wasSubscribedAt(subscription, id) &&
      (marks.isMarkedUnread(id) || (id >= from && !marks.isMarkedRead(id))),
  );
  const { readThrough } = subscription;
  return { marks, messageIds: [...new Set([...messageIds, ...deletedIds])], readThrough };
}

/** The messages of a channel up to a position that were deleted after it. */
async function listDeletedSince(table: Table, channelId: number, position: number): Promise<number[]> {
  const entries = await listEntries(table, position + 1, await readCounter(table));
  return entries
    .flatMap(({ events }) => events.map(({ payload }) => payload))
    .flatMap((payload) =>
      payload.type === 'delete_message' &&
      payload.message_type === 'stream' &&
      payload.stream_id === channelId
        ? payload.message_ids
        : [],
    )
    .filter((id) => id <= position);
}

/**
 * A writer that took a position before the user left may still send a message there, which the user would
 * receive.
 */
async function waitUntilFilled(services: Services, position: number): Promise<void> {
  for (let attempt = 0; attempt < PATIENCE.attempts; attempt++) {
    if ((await readHead(services)).position >= position) return;
    await services.clock.sleep(PATIENCE.pauseMs);
  }
  throw new Throttled('The log has a hole that no reader seals');
}

/** The messages of a channel within bounds, in no order. The index may lag, so the newest are read from the log. */
async function listChannelMessages(
  { table, clock }: Services,
  channelId: number,
  from: number,
  to: number,
): Promise<Message[]> {
  if (from > to) return [];
  const indexed = await table.list({
    index: messageIndex.byChannel,
    partition: messageIndex.channel(channelId),
    from: positionSortKey(from),
    to: positionSortKey(to),
  });
  const newest = await listNewest(table, from, to, clock.nowMs() - INDEX_LAG_MS);
  const byId = new Map<number, Message>();
  for (const { position, message } of [...indexed.map(toEntry), ...newest])
    if (message?.kind === 'channel' && message.channelId === channelId)
      byId.set(position, { ...message, messageId: position });
  return [...byId.values()];
}

/** The entries of a range that the index may lack, and some that it has. */
async function listNewest(table: Table, from: number, to: number, sinceMs: number): Promise<Logged[]> {
  const newest: Logged[] = [];
  for (let end = to; end >= from; end -= POSITIONS_AT_ONCE) {
    const entries = await listLogged(table, Math.max(from, end - POSITIONS_AT_ONCE + 1), end);
    newest.push(...entries);
    const [first] = entries;
    if (!first || first.atMs < sinceMs) break;
  }
  return newest;
}

const unchanged = ({ state: { revision } }: Marks) => ({ belowOrAbsent: { revision: revision + 1 } });

const split = (ids: number[], isFirst: (id: number) => boolean): [number[], number[]] => [
  ids.filter(isFirst),
  ids.filter((id) => !isFirst(id)),
];
