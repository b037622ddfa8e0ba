import { positionOfEventId } from '#shared/events/event-id.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import { asFarAsKnown, sureOf } from '#tests/harness/snapshot/snapshot-data.ts';
import {
  ABOUT_THE_QUEUE,
  claim,
  differences,
  judgeListener,
  judgeNotices,
  judgeSendings,
  judgeSubscriptions,
  type Remains,
} from '#tests/simulation/judging/judge.ts';
import { judgeBots } from '#tests/simulation/judging/judge-bots.ts';
import type { DoneAction, Secrets } from '#tests/simulation/people/doers.ts';
import {
  CHANNEL_LISTS,
  changedBy,
  forgetChanged,
  forgetLosses,
  forgetNames,
  forgetNewcomers,
  forgetSenders,
} from '#tests/simulation/people/forgetting.ts';
import type { Journal, Listener, ReceivedEvent } from '#tests/simulation/people/journal.ts';
import { Membership, Society } from '#tests/simulation/people/society.ts';

/** The results of a run with actions. */
export interface ActionRemains extends Remains {
  done: DoneAction[];
  /** Texts that only one person may ever see. */
  secrets: Secrets;
}

/** Every way in which a run with deeds broke a promise; of the code the judge knows nothing. */
export function judgeActions(journal: Journal, remains: ActionRemains): string[] {
  const { log, founders, done, secrets } = remains;
  const expectedCount = remains.lastPosition - remains.firstPosition + 1;
  const membership = new Membership();
  try {
    for (const entry of log) membership.apply(entry);
  } catch (failure) {
    return [...journal.complaints, (failure as Error).message];
  }
  return [
    ...journal.complaints,
    ...claim(log.length === expectedCount, `The log has ${log.length} entries of ${expectedCount}`),
    ...claim(remains.jobs === 0, `${remains.jobs} jobs are left`),
    ...judgeSendings(journal, log),
    ...judgeNotices(log),
    // The events of channels may be hidden, and people may not receive them.
    ...judgeBots(log, ['welcome']),
    ...judgeSubscriptions(membership, remains),
    ...done.flatMap((action) => judgeAction(action, log)),
    ...journal.listeners.flatMap((listener) => judgeListener(listener, remains)),
    ...journal.listeners.flatMap((listener) => [
      ...judgeSecrets(listener, secrets),
      ...judgeMessages(listener, log, founders),
    ]),
    ...judgeRegisters(journal.listeners, remains.fresh),
  ];
}

/** An acknowledged request is in the log once, a refused one nowhere, others are unknown. */
function judgeAction(
  { operation, labels, announces, verdict, params }: DoneAction,
  log: LogEntry[],
): string[] {
  const what = `${operation} ${JSON.stringify(params)} (${verdict})`;
  const traces = log.filter((entry) => labels.some((label) => holds(entry, label)));
  if (verdict === 'refused')
    return claim(traces.length === 0, `${what} left a trace at ${traces[0]?.position}`);
  const label = labels[0];
  if (announces === undefined || label === undefined) return [];
  const entries = log.filter((entry) => tellsOf(entry, announces, labels));
  // A channel that becomes private and public again comes to be known more than once.
  const copies = announces === 'stream/create' ? Math.min(1, entries.length) : entries.length;
  const isRight = verdict === 'acknowledged' ? copies === 1 : copies <= 1;
  return claim(isRight, `${what} is ${copies} times in the log`);
}

const holds = (part: unknown, label: string): boolean => textOf(part).includes(label);

const tellsOf = ({ events, message }: LogEntry, announces: string, labels: string[]): boolean =>
  announces === 'message'
    ? labels.includes(message?.content.split(' @**')[0] ?? '')
    : events
        .map(({ payload }): AnyPayload => payload)
        .some(
          ({ type, op, beside: _beside, ...rest }) =>
            (op === undefined ? type : `${type}/${op}`) === announces &&
            labels.some((label) => holds(withoutQuotes(rest), label)),
        );

/** A reminder quotes the message that it is about, which may be another reminder. A failed one is announced again. */
function withoutQuotes(payload: SnapshotData): unknown {
  if (payload.scheduled_message?.failed) return undefined;
  return payload.reminders?.map(({ content }: SnapshotData) => content.split('```')[0]) ?? payload;
}

const texts = new WeakMap<object, string>();
/** As JSON, which is made once. */
function textOf(part: unknown): string {
  if (typeof part !== 'object' || part === null) return String(part);
  const text = texts.get(part) ?? JSON.stringify(part);
  texts.set(part, text);
  return text;
}

/** A reporter of a message shows it to others. */
const isReport = ({ type, message }: ReceivedEvent): boolean =>
  type === 'message' && message.content.includes('reported a message sent by');

/** No user ever got another's private data. */
function judgeSecrets({ account, snapshot, events }: Listener, secrets: Secrets): string[] {
  const namedIn = (parts: unknown[]): Set<string> =>
    new Set(
      parts
        .map(textOf)
        .join('\n')
        .match(/[A-Z][a-z ]+ no\. \d+\./g),
    );
  const [reports, others] = [events.filter(isReport), events.filter((event) => !isReport(event))];
  // A user who was shown a message by a report may quote it.
  const shown = namedIn(reports);
  return [...namedIn([snapshot, ...others])]
    .filter((text) => !shown.has(text) && (secrets.get(text) ?? account.userId) !== account.userId)
    .map((text) => `${account.fullName} got to know: ${text}`);
}

/**
 * Only received messages decide: direct messages were for the reader, and channel messages came while they were
 * subscribed.
 */
function judgeMessages(
  { account: { userId, fullName }, wishes, events }: Listener,
  log: LogEntry[],
  founders: Remains['founders'],
): string[] {
  const society = new Society(founders);
  let next = 0;
  const upTo = (position: number): void => {
    for (let entry = log[next]; entry && entry.position <= position; entry = log[++next])
      society.apply(entry);
  };
  return events.flatMap((event) => {
    const position = positionOfEventId(event.id);
    upTo(position);
    return [
      ...claim(mayHave(event, userId, wishes.allPublicChannels, society), `${fullName} got ${textOf(event)}`),
      ...claim(isOwn(event, userId), `${fullName} got another user's event: ${textOf(event)}`),
      ...claim(
        event.type !== 'user_status' || society.sees(userId, event.user_id),
        `${fullName} got the status of a user that they do not see: ${textOf(event)}`,
      ),
    ];
  });
}

function mayHave(
  { type, message }: ReceivedEvent,
  userId: number,
  readsAll: boolean,
  society: Society,
): boolean {
  if (type !== 'message') return true;
  if (message.type === 'private')
    return message.display_recipient.some(({ id }: { id: number }) => id === userId);
  return readsAll || society.membership.hadAt(userId, message.stream_id, message.id);
}

/** Events of these types concern one person, and name the user where another could be meant. */
function isOwn({ type, op, subscriptions, property }: ReceivedEvent, _userId: number): boolean {
  return !(type === 'subscription' && op === 'add' && subscriptions.length === 0 && property === undefined);
}

/**
 * Each time that a user registers, their older queues agree up to the same position; and at the end a fresh snapshot
 * equals all of their queues.
 */
function judgeRegisters(listeners: Listener[], fresh: Remains['fresh']): string[] {
  return listeners
    .filter(({ wishes }) => wantsAll(wishes))
    .flatMap((listener) => {
      const { account, hasLeft, wasEnded, events, snapshot } = listener;
      const start = positionOfEventId(snapshot.last_event_id);
      const reached = positionOfEventId(events.at(-1)?.id ?? 0);
      const later = listeners.filter((other) => {
        const position = positionOfEventId(other.snapshot.last_event_id);
        const isReached = reached > position || !(hasLeft || wasEnded);
        return (
          other !== listener &&
          other.account.userId === account.userId &&
          other.wishes === listener.wishes &&
          isReached &&
          position >= start
        );
      });
      const end = fresh.get(listener);
      return [
        ...later.flatMap((other) =>
          compare(listener, other.snapshot, positionOfEventId(other.snapshot.last_event_id)),
        ),
        ...(end ? compare(listener, end, Number.POSITIVE_INFINITY) : []),
      ];
    });
}

export const wantsAll = ({ eventTypes, narrow, allPublicChannels }: Listener['wishes']): boolean =>
  eventTypes === undefined && narrow.length === 0 && !allPublicChannels;

/** The same, without values of the clock. */
const NOT_OF_THE_STATE = [...ABOUT_THE_QUEUE, 'presence_last_update_id', 'presences'];

function compare(
  { account, events, snapshot, queueId }: Listener,
  truth: SnapshotData,
  position: number,
): string[] {
  const later = changedBy(events.filter(({ id }) => positionOfEventId(id) > position));
  const known = events.filter(({ id, type }) => type !== 'heartbeat' && positionOfEventId(id) <= position);
  const replayed = sureOf(applyEvents(snapshot, known));
  const other = { ...asFarAsKnown(truth, replayed) };
  forgetChanged(replayed, other, later);
  forgetLosses(replayed, other);
  forgetNames(replayed, other);
  forgetSenders(replayed, other);
  if (Number.isFinite(position)) forgetNewcomers(known, replayed, other);
  const isLate = readLate(known, Number.isFinite(position));
  return Object.keys(other)
    .filter((name) => !NOT_OF_THE_STATE.includes(name))
    .flatMap((name) => differencesOf(name, replayed[name], other[name], isLate))
    .concat(lessThanTold(replayed.presences, other.presences))
    .map((what) => `Snapshot ${queueId.slice(0, 8)} of ${account.fullName} at ${position}: ${what}`);
}

/**
 * Channels that become known to a client come with their subscribers and the client's own settings as of the read,
 * which may be ahead of the position; later events repeat the same. At the end nothing is ahead.
 */
function readLate(events: ReceivedEvent[], isOnTheWay: boolean): (channelId: number) => boolean {
  const late = events
    .filter(({ type, op }) => isOnTheWay && type === 'subscription' && op === 'add')
    .flatMap(({ subscriptions }) => subscriptions.map((one: SnapshotData) => one.stream_id));
  return (channelId) => late.includes(channelId);
}

function differencesOf(
  name: string,
  replayed: unknown,
  other: unknown,
  isLate: (channelId: number) => boolean,
): string[] {
  if (!CHANNEL_LISTS.includes(name)) return differences(name, replayed, other);
  const without = (channels: SnapshotData[]): SnapshotData[] =>
    channels.map((one) => (isLate(one.stream_id) ? { stream_id: one.stream_id } : one));
  return differences(name, without(replayed as SnapshotData[]), without(other as SnapshotData[]));
}

/** Not every presence report becomes an event: a snapshot knows as much as the events, or more. */
function lessThanTold(replayed: SnapshotData, known: SnapshotData): string[] {
  return Object.entries(replayed).flatMap(([userId, { active_timestamp: activeAt }]) =>
    claim(
      known[userId] !== undefined && (known[userId].active_timestamp ?? 0) >= (activeAt ?? 0),
      `presences.${userId}`,
    ),
  );
}
