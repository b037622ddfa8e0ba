import { isDeepStrictEqual } from 'node:util';
import type { ScheduledMessage } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { positionOfEventId } from '#shared/events/event-id.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import { expectedEvents, isMarkAll, lineOf } from '#tests/simulation/people/history.ts';
import type { Journal, Listener, Scheduling } from '#tests/simulation/people/journal.ts';
import { Membership } from '#tests/simulation/people/society.ts';
import { judgeBots } from './judge-bots.ts';

/** The results of a run, read when nothing moves any more. */
export interface Remains {
  /** Every user who was there from the first position on. */
  founders: Account[];
  /** From the first position on. */
  log: LogEntry[];
  firstPosition: number;
  lastPosition: number;
  subscriptions: Subscription[];
  /** Subscribers by channel, as the lists of the channels have them. */
  members: Map<number, number[]>;
  /** As the channels count them. */
  counts: Map<number, number>;
  scheduled: ScheduledMessage[];
  jobs: number;
  /** The time at which an entry was written to a position, by the world's clock. */
  writtenAtMs: (position: number) => number;
  /** How far clocks are ahead of it at most. */
  maxSkewMs: number;
  /** The current reply of register, for the listeners that selected everything. */
  fresh: Map<Listener, SnapshotData>;
}

/** Every way in which a run broke a promise. The judge knows the log and the journal, but nothing of the code. */
export function judge(journal: Journal, remains: Remains): string[] {
  const { log, firstPosition, lastPosition } = remains;
  const membership = new Membership();
  try {
    for (const entry of log) membership.apply(entry);
  } catch (failure) {
    return [...journal.complaints, (failure as Error).message];
  }
  const expectedCount = lastPosition - firstPosition + 1;
  return [
    ...journal.complaints,
    ...claim(log.length === expectedCount, `The log has ${log.length} entries of ${expectedCount}`),
    ...claim(remains.jobs === 0, `${remains.jobs} jobs are left`),
    ...judgeSendings(journal, log),
    ...journal.schedulings.flatMap((scheduling) => judgeScheduling(scheduling, remains)),
    ...judgeNotices(log),
    ...judgeBots(log, ['opening', 'welcome']),
    ...judgeSubscriptions(membership, remains),
    ...journal.listeners.flatMap((listener) => judgeListener(listener, remains)),
    ...[...remains.fresh].flatMap(([listener, fresh]) => judgeSnapshot(listener, fresh)),
  ];
}

export const claim = (holds: boolean | undefined, complaint: string): string[] => (holds ? [] : [complaint]);

const copiesOf = (log: LogEntry[], content: string): number[] =>
  log.filter(({ message }) => message?.content === content).map(({ position }) => position);

/** An acknowledged message exists once, under its id; a refused one does not; others are unknown. */
export function judgeSendings({ sendings }: Journal, log: LogEntry[]): string[] {
  return sendings.flatMap(({ content, verdict, messageId }) => {
    const copies = copiesOf(log, content);
    const isRight =
      verdict === 'acknowledged'
        ? copies.length === 1 && copies[0] === messageId
        : copies.length <= (verdict === 'refused' ? 0 : 1);
    return claim(isRight, `${content} (${verdict} as ${messageId}) is at [${copies}]`);
  });
}

/** A scheduled message was delivered once as it was last changed, or it waits marked as failed, or it was deleted. */
function judgeScheduling(scheduling: Scheduling, remains: Remains): string[] {
  const { log, scheduled, writtenAtMs, maxSkewMs } = remains;
  const { contents, dueSeconds, verdict, acknowledged, deletion, scheduledMessageId } = scheduling;
  const copies = contents.flatMap((content, index) => copiesOf(log, content).map(() => index));
  const kept = scheduled.filter(({ content }) => contents.includes(content));
  const what = `${contents[0]} (${verdict} as ${scheduledMessageId}, deletion ${deletion})`;
  const ways = copies.length + kept.length;
  const isDeletable = deletion === 'acknowledged' || deletion === 'unknown';
  const isLost = verdict === 'acknowledged' && ways === 0 && !isDeletable;
  const newest = contents.indexOf(kept[0]?.content ?? '');
  return [
    ...claim(ways <= 1, `${what} was delivered ${copies.length} times and is kept ${kept.length} times`),
    ...claim(!isLost, `${what} was neither delivered nor kept`),
    ...claim(ways === 0 || verdict !== 'refused', `${what} was refused and exists`),
    ...claim(ways === 0 || deletion !== 'acknowledged', `${what} was deleted and exists`),
    ...claim(
      kept.every(({ isFailed }) => isFailed),
      `${what} still waits`,
    ),
    ...claim(ways === 0 || (copies[0] ?? newest) >= acknowledged, `${what} lost a change`),
    ...contents.flatMap((content, index) =>
      copiesOf(log, content).flatMap((position) => {
        const earlyMs = (dueSeconds[index] ?? 0) * 1000 - writtenAtMs(position);
        return claim(earlyMs <= maxSkewMs, `${content} was delivered ${earlyMs} ms before its time`);
      }),
    ),
  ];
}

const NOTICE = 'The message that you scheduled could not be sent';

/** Each failed delivery caused one notice to its sender. */
export function judgeNotices(log: LogEntry[]): string[] {
  const failures = log.flatMap(({ events }) =>
    events.filter(({ payload }) => 'scheduled_message' in payload && payload.scheduled_message.failed),
  );
  // Others may quote one.
  const notices = log.filter(({ message }) => message?.content.startsWith(NOTICE));
  return claim(
    failures.length === notices.length,
    `${failures.length} deliveries failed, and ${notices.length} notices were sent`,
  );
}

/** The items of subscriptions, the lists of subscribers and their counts agree with the log. */
export function judgeSubscriptions(
  membership: Membership,
  { subscriptions, members, counts }: Remains,
): string[] {
  const intervals = subscriptions.flatMap(({ userId, channelId, intervals }) => {
    const stored = intervals.flat().filter((position) => position !== null);
    const derived = membership.turnsOf(userId, channelId);
    const what = `User ${userId} in channel ${channelId}`;
    return claim(isDeepStrictEqual(stored, derived), `${what}: stored [${stored}], derived [${derived}]`);
  });
  const lists = [...members].flatMap(([channelId, userIds]) => {
    const present = subscriptions.filter((one) => one.channelId === channelId);
    const derived = present.map(({ userId }) => userId).filter((userId) => membership.has(userId, channelId));
    const isRight =
      isDeepStrictEqual([...userIds].sort(), derived.sort()) && counts.get(channelId) === derived.length;
    return claim(
      isRight,
      `Channel ${channelId}: ${counts.get(channelId)} in [${userIds}], derived [${derived}]`,
    );
  });
  return [...intervals, ...lists];
}

/** The events of a queue are the log's events that its owner may see and selected, in order, once. */
export function judgeListener(
  listener: Listener,
  { log, founders }: Pick<Remains, 'log' | 'founders'>,
): string[] {
  const { account, events, snapshot, hasLeft, wasEnded, queueId, isShort } = listener;
  const what = `Queue ${queueId.slice(0, 8)} of ${account.fullName}`;
  const start = positionOfEventId(snapshot.last_event_id);
  const { lines, loose } = expectedEvents(log, listener, start, founders);
  const untold = new Set(log.filter(isMarkAll).map(({ position }) => position));
  const received = events
    .filter(({ id, type }) => type !== 'heartbeat' && !untold.has(positionOfEventId(id)))
    // Parts that the snapshot left out come at its own position, and are judged with the resulting state.
    .filter(({ id }) => !(isShort && positionOfEventId(id) === start))
    .filter((event) => {
      const position = positionOfEventId(event.id);
      return !loose.get(position)?.includes(lineOf(0, event).slice(2));
    })
    .map((event) =>
      event.type === 'message'
        ? `${positionOfEventId(event.id)} message ${event.message.content}`
        : lineOf(positionOfEventId(event.id), event),
    );
  const expected = hasLeft || wasEnded ? lines.slice(0, received.length) : lines;
  const ids = [start, ...events.map(({ id }) => id)];
  const isGrowing = ids.every((id, index) => index === 0 || id > (ids[index - 1] as number));
  return [
    ...claim(isGrowing, `${what}: ids do not grow: ${ids}`),
    ...claim(isDeepStrictEqual(received, expected), `${what}: ${firstDifference(received, expected)}`),
    ...claim(!wasEnded || wasDeactivated(log, account.userId, start), `${what} ended without a reason`),
  ];
}

/** Whether the user was deactivated when the queue began, or at some time after. */
function wasDeactivated(log: LogEntry[], userId: number, start: number): boolean {
  const turns = log.flatMap(({ position, events }) =>
    events.flatMap(({ payload }) => {
      const person: Record<string, unknown> = 'person' in payload ? payload.person : {};
      const { user_id: id, is_active: isActive } = person;
      return id === userId && typeof isActive === 'boolean' ? [{ position, isActive }] : [];
    }),
  );
  const atStart = turns.findLast(({ position }) => position <= start);
  return atStart?.isActive === false || turns.some(({ position, isActive }) => position > start && !isActive);
}

function firstDifference(received: unknown[], expected: unknown[]): string {
  const at = Array.from({ length: Math.max(received.length, expected.length) }, (_, n) => n).find(
    (n) => !isDeepStrictEqual(received[n], expected[n]),
  );
  if (at === undefined) return 'the same';
  return `got ${JSON.stringify(received[at])} instead of ${JSON.stringify(expected[at])}`;
}

/** The fields of register about the queue, and values of the clock. */
export const ABOUT_THE_QUEUE = ['queue_id', 'last_event_id', 'server_timestamp', 'event_socket'];

/** The snapshot with the events that came since is a fresh snapshot. */
export function judgeSnapshot(
  { account, events, snapshot, queueId }: Listener,
  fresh: SnapshotData,
): string[] {
  const replayed = applyEvents(
    snapshot,
    events.filter(({ type }) => type !== 'heartbeat'),
  );
  const what = `Snapshot ${queueId.slice(0, 8)} of ${account.fullName}`;
  return Object.keys(fresh)
    .filter((name) => !ABOUT_THE_QUEUE.includes(name))
    .flatMap((name) => differences(name, replayed[name], fresh[name]))
    .map((difference) => `${what}: ${difference}`);
}

/** The place at which two JSON values differ. */
export function differences(path: string, replayed: unknown, fresh: unknown): string[] {
  if (isDeepStrictEqual(replayed, fresh)) return [];
  if (!isObject(replayed) || !isObject(fresh))
    return [`${path} is ${JSON.stringify(replayed)} instead of ${JSON.stringify(fresh)}`];
  const names = new Set([...Object.keys(replayed), ...Object.keys(fresh)]);
  return [...names].flatMap((name) => differences(`${path}.${name}`, replayed[name], fresh[name]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
