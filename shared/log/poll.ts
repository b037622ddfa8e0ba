import { type Alerts, alertsOf, noAlerts } from '#shared/domain/alert-words/alerts.ts';
import { BadEventQueueId, BadRequest, InvalidApiKey } from '#shared/domain/errors.ts';
import type { Rosters } from '#shared/domain/messages/mentions.ts';
import { noPreferences, type Preferences } from '#shared/domain/narrow/term.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { endsKey } from '#shared/domain/users/key.ts';
import type { Account, User } from '#shared/domain/users/user.ts';
import { type EventPayload, INTERNAL_QUEUE_REMOVED } from '#shared/events/catalogue.ts';
import { endOfPosition, eventId, isEndOfPosition, positionOfEventId } from '#shared/events/event-id.ts';
import { asksForTopics } from '#shared/events/queue-narrow.ts';
import {
  channelsGained,
  channelsTurned,
  concerns,
  type ShapedEvent,
  shapeEntry,
  wants,
} from '#shared/events/shape.ts';
import { isArchivalUpdate } from '#shared/events/shapers/channels.ts';
import { needsOwnSettings } from '#shared/events/shapers/subscriptions.ts';
import { tellOfTyping } from '#shared/events/shapers/typing.ts';
import { channelsThatDecide, getsMessage, isInAudience, type Viewer } from '#shared/events/viewer.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getAlertWords } from '#shared/store/alert-words.ts';
import { findEntry, readCounter, readFrontier } from '#shared/store/log.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';
import { loadPreferences } from '#shared/store/preferences.ts';
import { openRosters } from '#shared/store/rosters.ts';
import { findSubscription, listSubscriberIds } from '#shared/store/subscriptions.ts';
import { getUserSettings } from '#shared/store/user-settings.ts';
import { ArrearsReader } from './arrears-reader.ts';
import { findMarkAll, spellMarkAll } from './marked-all.ts';
import { loadNewSights } from './new-sights.ts';
import { OwnerReader } from './owner-reader.ts';
import { leasePoll } from './poll-lease.ts';
import type { Queue } from './queue.ts';
import { LogExpired, type Reach } from './read.ts';
import { ReplyPage } from './reply-page.ts';
import { SightReader } from './sight-reader.ts';
import { TailReader } from './tail-reader.ts';
import { loadUpdatedFlags } from './updated-flags.ts';
import { Poll } from './waiting.ts';

export interface PollOptions {
  lastEventId: number;
  /** Wait for events until the hold ends. */
  blocks: boolean;
}

/**
 * The events of a queue after the last one that its client has, waiting for them if there are none. Every event of
 * the log that the owner may see and asked for is returned once, in order, while the queue lives.
 * @throws BadEventQueueId, BadRequest for an event id that the queue cannot go on from, RateLimitHit where too
 * many polls of the account wait, InvalidApiKey where the key ends meanwhile
 */
export async function pollQueue(
  services: Services,
  queue: Queue,
  caller: Account,
  options: PollOptions,
): Promise<ShapedEvent[]> {
  const lastEventId = await findStart(services, queue, options.lastEventId);
  const reader = new QueueReader(services, queue, caller, lastEventId);
  queue.ackedId = lastEventId;
  const lease = (holdMs: number) =>
    leasePoll(services, caller, { queueId: queue.queueId, lastEventId, holdMs });
  const poll = new Poll(services, queue, reader, lease);
  try {
    return await poll.run(options.blocks);
  } finally {
    poll.end();
  }
}

/**
 * The event id behind which the poll goes on: the one given, or the start of the queue for anything before it. Clients
 * begin with -1 as well as with what register told them, and nothing is gone before a first event was acknowledged.
 */
async function findStart(services: Services, { ackedId, scannedPosition }: Queue, lastEventId: number) {
  if (lastEventId < ackedId) {
    if (isEndOfPosition(ackedId)) return ackedId;
    throw new BadRequest(`An event newer than ${lastEventId} has already been pruned!`);
  }
  const position = positionOfEventId(lastEventId);
  if (position > scannedPosition && position > (await readCounter(services.table)))
    throw new BadRequest(`Event ${lastEventId} was not in this queue`);
  return lastEventId;
}

/** Who has read an entry as young as this has come to the end of the log. */
const TAIL_AGE_MS = 5_000;

/** Walks the log for one queue, loading what decides about each entry as late as possible and only once. */
class QueueReader {
  readonly #services: Services;
  readonly #queue: Queue;
  #user: User;
  readonly #lastEventId: number;
  readonly #keyVersion: number;
  readonly #tail: TailReader;
  readonly #arrears: ArrearsReader;
  readonly #subscriptions = new Map<number, Subscription>();
  readonly #loaded = new Set<number>();
  /** Loaded with the first message, since most users have none. */
  #alerts: Alerts | undefined;
  /** The same for queues whose narrow asks for what their owner mutes or follows. */
  #preferences: Preferences | undefined;
  #looks = 0;
  #newestMs = 0;
  /** Every entry up to here was looked at. */
  position: number;

  constructor(services: Services, queue: Queue, caller: Account, lastEventId: number) {
    this.#services = services;
    this.#queue = queue;
    this.#user = caller;
    this.#lastEventId = lastEventId;
    this.#keyVersion = caller.keyVersion;
    this.#tail = new TailReader(services, queue.queueId);
    this.#arrears = new ArrearsReader(services, queue, caller, lastEventId);
    if (!caller.hasAlertWords) this.#alerts = noAlerts;
    this.position = Math.max(startPosition(lastEventId), queue.scannedPosition);
  }

  async look(): Promise<{ events: ShapedEvent[]; entries: number }> {
    const owed = await this.#arrears.read();
    if (owed.length > 0) return { events: owed, entries: 1 };
    const entries = await this.#read();
    const page = new ReplyPage();
    const owners = await OwnerReader.open(this.#services, this.#queue.queueId, this.#user, entries);
    this.#user = owners.current;
    const sights = new SightReader(this.#services, this.#queue, entries);
    for (const entry of entries) {
      const isWanted = wants(this.#queue.filter, 'update_message_flags');
      const marked = isWanted ? findMarkAll(entry, this.#user) : undefined;
      const { events, isWhole } = marked
        ? await this.#spell(entry, marked)
        : { events: await this.#listNew(entry, owners, sights), isWhole: true };
      if (!page.add(events) || !isWhole) break;
      this.position = entry.position;
      if (page.isFull) break;
    }
    this.#newestMs = entries.at(-1)?.atMs ?? this.#newestMs;
    return { events: page.events, entries: entries.length };
  }

  /** What the entry is for the client, without what it has. */
  async #listNew(entry: LogEntry, owners: OwnerReader, sights: SightReader): Promise<ShapedEvent[]> {
    if (endsKey(entry, this.#user.userId, this.#keyVersion)) throw new InvalidApiKey();
    const shaped = await this.#shape(entry, owners, sights);
    if (shaped.some(({ type }) => type === INTERNAL_QUEUE_REMOVED))
      throw new BadEventQueueId(this.#queue.queueId);
    this.#noteActivity(entry, shaped);
    return shaped.filter(({ id }) => id > this.#lastEventId);
  }

  /** Whether what was read last had only just been written. */
  isAtTail(nowMs: number): boolean {
    return nowMs - this.#newestMs < TAIL_AGE_MS;
  }

  /** A poll begins with the entry of the event that its client had last, so each finds out anew how long ago that was. */
  #noteActivity({ atMs }: LogEntry, events: ShapedEvent[]): void {
    if (events.some(isTalk)) this.#queue.activeMs = Math.max(this.#queue.activeMs, atMs);
  }

  /** Whether what comes next was deleted, so that no look will ever find it. */
  async isStranded(): Promise<boolean> {
    const { table } = this.#services;
    const next = this.position + 1;
    return next <= (await readFrontier(table)) && (await findEntry(table, next)) === undefined;
  }

  async #read(): Promise<LogEntry[]> {
    try {
      return await this.#tail.read(this.position, reachOf(this.#looks++));
    } catch (failure) {
      if (failure instanceof LogExpired) throw new BadEventQueueId(this.#queue.queueId);
      throw failure;
    }
  }

  /** What a reply had no room for before is left to this one. */
  #spell(entry: LogEntry, marked: EventPayload) {
    const next = this.#lastEventId + 1;
    const firstIndex = positionOfEventId(next) === entry.position ? next - eventId(entry.position, 0) : 0;
    return spellMarkAll(this.#services.table, this.#user, entry.position, marked, firstIndex);
  }

  async #shape(entry: LogEntry, owners: OwnerReader, sights: SightReader): Promise<ShapedEvent[]> {
    const { table } = this.#services;
    const { queueId, filter } = this.#queue;
    const { userId } = this.#user;
    if (tellsOf('subscription', entry, userId)) this.#loaded.clear();
    if (tellsOf('alert_words', entry, userId)) this.#alerts = undefined;
    if (tellsOf('user_topic', entry, userId)) this.#preferences = undefined;
    const user = await owners.at(entry);
    const gained = channelsGained(entry, userId);
    const { revealed, concealed } = channelsTurned(entry, userId);
    await this.#loadSubscriptions([...channelsThatDecide(entry), ...gained, ...revealed, ...concealed]);
    const subscribersOf = new Map<number, number[]>();
    for (const channelId of gained) subscribersOf.set(channelId, await listSubscriberIds(table, channelId));
    const viewer = { user, subscriptions: this.#subscriptions };
    const received = entry.events.filter(
      ({ audience, payload }) =>
        wants(filter, payload.type) && isInAudience(audience, viewer, entry.position),
    );
    const news = await loadNewSights(this.#services, entry, this.#queue);
    const seen = concerns(entry, viewer, filter) ? await sights.at(entry, user) : {};
    const isRecordSent = gained.length > 0 || entry.events.some(({ payload }) => isArchivalUpdate(payload));
    const inherits = isRecordSent && needsOwnSettings(filter);
    const needsSettings = inherits || tellOfTyping(received);
    const settings = needsSettings ? await getUserSettings(table, this.#user) : null;
    const alerts = await this.#alertsFor(entry, viewer);
    const rosters = await this.#rostersFor(entry, viewer);
    const preferences = await this.#preferencesFor(entry, viewer);
    const updated = await loadUpdatedFlags(table, user, received);
    const loaded = { subscribersOf, settings, ...news, ...seen, ...updated };
    return shapeEntry(entry, { queueId, filter, viewer, alerts, rosters, preferences, ...loaded });
  }

  #rostersFor(entry: LogEntry, viewer: Viewer): Promise<Rosters> {
    const { message } = entry;
    const shown = message && this.#showsMessage(entry, viewer) ? [message] : [];
    return openRosters(this.#services.table, shown);
  }

  async #alertsFor(entry: LogEntry, viewer: Viewer): Promise<Alerts> {
    if (!this.#showsMessage(entry, viewer)) return noAlerts;
    this.#alerts ??= alertsOf(await getAlertWords(this.#services.table, viewer.user.userId));
    return this.#alerts;
  }

  async #preferencesFor(entry: LogEntry, viewer: Viewer): Promise<Preferences> {
    if (!asksForTopics(this.#queue.filter.narrow) || !this.#showsMessage(entry, viewer)) return noPreferences;
    this.#preferences ??= await loadPreferences(this.#services.table, viewer.user.userId);
    return this.#preferences;
  }

  #showsMessage({ position, message }: LogEntry, viewer: Viewer): boolean {
    const { filter } = this.#queue;
    return (
      message !== undefined &&
      wants(filter, 'message') &&
      getsMessage(viewer, { ...message, messageId: position }, filter.allPublicChannels)
    );
  }

  async #loadSubscriptions(channelIds: number[]): Promise<void> {
    for (const channelId of channelIds) {
      if (this.#loaded.has(channelId)) continue;
      const subscription = await findSubscription(this.#services.table, this.#user.userId, channelId);
      if (subscription) this.#subscriptions.set(channelId, subscription);
      else this.#subscriptions.delete(channelId);
      this.#loaded.add(channelId);
    }
  }
}

/** What more is likely to follow soon: a message, or that somebody writes one to the owner. All else is frequent and follows nothing. */
const isTalk = (event: ShapedEvent): boolean =>
  event.type === 'message' || (event.type === 'typing' && event.recipients !== undefined);

/** Only a writer that died leaves something in the next block first, so few looks are spent on that. */
const LOOKS_PER_GLANCE_AHEAD = 4;

function reachOf(look: number): Reach {
  if (look === 0) return 'both';
  return look % LOOKS_PER_GLANCE_AHEAD === 0 ? 'next' : 'rest';
}

/** An id within a position's events may have more events of that position after it. */
const startPosition = (lastEventId: number): number => {
  const position = positionOfEventId(lastEventId);
  return lastEventId >= endOfPosition(position) ? position : position - 1;
};

/** Whether the entry has an event of a type that is for this user. */
const tellsOf = (type: string, entry: LogEntry, userId: number): boolean =>
  entry.events.some(
    ({ audience, payload }) =>
      payload.type === type && audience.kind === 'users' && audience.userIds.includes(userId),
  );
