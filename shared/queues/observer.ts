import { type Alerts, alertsOf, noAlerts } from '#shared/domain/alert-words/alerts.ts';
import { BadEventQueueId, InvalidApiKey, Unauthorized } from '#shared/domain/errors.ts';
import { noPreferences, type Preferences } from '#shared/domain/narrow/term.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { endsKey } from '#shared/domain/users/key.ts';
import { endsSession } from '#shared/domain/users/sessions/session.ts';
import type { Account, User } from '#shared/domain/users/user.ts';
import { eventId, positionOfEventId } from '#shared/events/event-id.ts';
import { asksForTopics } from '#shared/events/queue-narrow.ts';
import {
  channelsGained,
  channelsTurned,
  concerns,
  type ShapedEvent,
  shapeEntry,
  wants,
} from '#shared/events/shape.ts';
import type { Shaping } from '#shared/events/shaping.ts';
import { INTERNAL_QUEUE_REMOVED } from '#shared/events/stored-fields.ts';
import { channelsThatDecide, getsMessage, type Viewer } from '#shared/events/viewer.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findSubscription } from '#shared/store/channels/subscriptions.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { openRecipientSets } from '#shared/store/messages/recipient-sets.ts';
import { loadPreferences } from '#shared/store/topics/preferences.ts';
import { getAlertWords } from '#shared/store/users/alert-words.ts';
import { loadDetails, loadOwnDetails } from './event-details.ts';
import { findMarkAll, listMarkedRead } from './marked-all.ts';
import { OwnerHistory } from './owner-history.ts';
import type { ObservedQueue } from './queue.ts';
import type { ObservedEntry } from './reply-page.ts';
import { loadStarTurn } from './stars.ts';
import { VisibilityReader } from './visibility-reader.ts';

/**
 * The owner of a queue, who sees the log through its filter. Loads the state that decides about each entry as
 * late as possible, and shared state only once.
 */
export class Observer {
  readonly #services: Services;
  /** The queue at the start of the poll; the poll's changes to it do not matter here. */
  readonly #queue: ObservedQueue;
  readonly #caller: Account;
  #user: User;
  readonly #subscriptions = new Map<number, Subscription>();
  readonly #loaded = new Set<number>();
  /** Loaded with the first message, because most users have none. */
  #alerts: Alerts | undefined;
  /** The same for queues whose narrow depends on muted or followed topics. */
  #preferences: Preferences | undefined;

  constructor(services: Services, queue: ObservedQueue, caller: Account) {
    this.#services = services;
    this.#queue = queue;
    this.#user = caller;
    this.#caller = caller;
    if (!caller.hasAlertWords) this.#alerts = noAlerts;
  }

  /**
   * The events of each entry of a run for the queue, in order.
   * @throws BadEventQueueId when the queue was deleted, or too much has changed since to reconstruct an
   * entry's state; InvalidApiKey or Unauthorized when the caller's key or session ended
   */
  async *follow(run: LogEntry[]): AsyncGenerator<ObservedEntry> {
    const owner = await OwnerHistory.open(this.#services, this.#queue.queueId, this.#user, run);
    this.#user = owner.current;
    const visibility = new VisibilityReader(this.#services, this.#queue, run);
    const isMarkAllWanted = wants(this.#queue.filter, 'update_message_flags');
    for (const entry of run) {
      const markAll = isMarkAllWanted ? findMarkAll(entry, this.#user) : undefined;
      if (markAll) {
        const { table } = this.#services;
        const firstIndex = this.#firstIndexOf(entry);
        const { events, isWhole } = await listMarkedRead(table, this.#user, entry, markAll, firstIndex);
        yield { entry, events, isWhole, isTalk: false };
      } else {
        yield this.#observe(entry, owner, visibility);
      }
    }
  }

  /** The first event of an entry that did not fit into the previous reply. */
  #firstIndexOf({ position }: LogEntry): number {
    const next = this.#queue.ackedId + 1;
    return positionOfEventId(next) === position ? next - eventId(position, 0) : 0;
  }

  async #observe(entry: LogEntry, owner: OwnerHistory, visibility: VisibilityReader): Promise<ObservedEntry> {
    this.#requireLetIn(entry);
    const shaped = shapeEntry(entry, await this.#load(entry, owner, visibility));
    if (shaped.some(({ type }) => type === INTERNAL_QUEUE_REMOVED))
      throw new BadEventQueueId(this.#queue.queueId);
    const events = shaped.filter(({ id }) => id > this.#queue.ackedId);
    return { entry, events, isWhole: true, isTalk: shaped.some(isTalk) };
  }

  /** The caller's key or session may end while the poll waits. */
  #requireLetIn(entry: LogEntry): void {
    const { userId, keyVersion, sessionDigest } = this.#caller;
    if (endsSession(entry, this.#caller)) throw this.#caller.token ? new InvalidApiKey() : new Unauthorized();
    if (endsKey(entry, userId, keyVersion))
      throw sessionDigest === undefined ? new InvalidApiKey() : new Unauthorized();
  }

  /** Loads all that shapes the entry in two rounds: the viewer, then what depends on the viewer. */
  async #load(entry: LogEntry, owner: OwnerHistory, visibility: VisibilityReader): Promise<Shaping> {
    const { queueId, filter } = this.#queue;
    this.#forgetChanged(entry);
    const [owned, details] = await Promise.all([
      owner.at(entry),
      loadDetails(this.#services, entry, this.#queue),
      this.#loadSubscriptions(entry),
    ]);
    const { onlyChannels } = filter;
    const user = onlyChannels ? { ...owned, onlyChannels } : owned;
    const viewer = { user, subscriptions: this.#subscriptions };
    const message = this.#shownMessage(entry, viewer);
    const isConcerned = concerns(entry, viewer, filter);
    const [alerts, recipientSets, preferences, seen, ownDetails, stars] = await Promise.all([
      message ? this.#loadAlerts() : noAlerts,
      openRecipientSets(this.#services.table, message ? [message] : []),
      message ? this.#loadPreferences() : noPreferences,
      isConcerned ? visibility.at(entry, user) : {},
      loadOwnDetails(this.#services, entry, viewer, filter),
      isConcerned ? loadStarTurn(this.#services.table, entry, this.#presentUser(), filter) : undefined,
    ]);
    return {
      position: entry.position,
      queueId,
      filter,
      viewer,
      alerts,
      recipientSets,
      preferences,
      ...details,
      ...seen,
      ...ownDetails,
      ...(stars && { stars }),
    };
  }

  /** The owner as far as is known, limited as the queue is. */
  #presentUser(): User {
    const { onlyChannels } = this.#queue.filter;
    return onlyChannels ? { ...this.#user, onlyChannels } : this.#user;
  }

  #forgetChanged(entry: LogEntry): void {
    const { userId } = this.#user;
    if (tellsOf('subscription', entry, userId)) this.#loaded.clear();
    if (tellsOf('alert_words', entry, userId)) this.#alerts = undefined;
    if (tellsOf('user_topic', entry, userId)) this.#preferences = undefined;
  }

  /** The subscriptions that decide about an entry. */
  async #loadSubscriptions(entry: LogEntry): Promise<void> {
    const { userId } = this.#user;
    const { revealed, concealed } = channelsTurned(entry, userId);
    const asked = [...channelsThatDecide(entry), ...channelsGained(entry, userId), ...revealed, ...concealed];
    const missing = [...new Set(asked)].filter((channelId) => !this.#loaded.has(channelId));
    await mapConcurrently(missing, async (channelId) => {
      const subscription = await findSubscription(this.#services.table, userId, channelId);
      if (subscription) this.#subscriptions.set(channelId, subscription);
      else this.#subscriptions.delete(channelId);
      this.#loaded.add(channelId);
    });
  }

  /** The message of an entry, if the queue gets it. */
  #shownMessage({ position, message }: LogEntry, viewer: Viewer): LogEntry['message'] {
    const { filter } = this.#queue;
    if (!message || !wants(filter, 'message')) return undefined;
    return getsMessage(viewer, { ...message, messageId: position }, filter.allPublicChannels)
      ? message
      : undefined;
  }

  async #loadAlerts(): Promise<Alerts> {
    this.#alerts ??= alertsOf(await getAlertWords(this.#services.table, this.#user.userId));
    return this.#alerts;
  }

  async #loadPreferences(): Promise<Preferences> {
    if (!asksForTopics(this.#queue.filter.narrow)) return noPreferences;
    this.#preferences ??= await loadPreferences(this.#services.table, this.#user.userId);
    return this.#preferences;
  }
}

/** Other events are frequent and do not predict more. */
const isTalk = (event: ShapedEvent): boolean =>
  event.type === 'message' || (event.type === 'typing' && event.message_type === 'direct');

/** Whether the entry has an event of this type for the user. */
const tellsOf = (type: string, entry: LogEntry, userId: number): boolean =>
  entry.events.some(
    ({ audience, payload }) =>
      payload.type === type && audience.kind === 'users' && audience.userIds.includes(userId),
  );
