import { conversationKey } from '#shared/domain/messages/conversation.ts';
import {
  mailDomainOf,
  type Organization,
  visibilityGroupsAt,
} from '#shared/domain/organization/organization.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import { isSeen, seesEverybody, type VisibleUsers } from '#shared/domain/users/visible-users.ts';
import { peopleBefore } from '#shared/events/people-then.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import type { ShapedEntry } from '#shared/events/shape.ts';
import { typingPeople } from '#shared/events/shapers/typing.ts';
import type { Shaping } from '#shared/events/shaping.ts';
import {
  acquaintedAt,
  beforeRole,
  changesVisibility,
  conversationsIn,
  type VisibilityHistory,
} from '#shared/events/visibility-history.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listSubscriberIds, listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { findFirstOfConversation, listConversationSummaries } from '#shared/store/messages/conversations.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listUsers, listUsersById } from '#shared/store/users/users.ts';
import { withBotsAmong } from '#shared/store/visibility/visible-users.ts';
import { loadNewcomers } from './newcomers.ts';
import type { ObservedQueue } from './queue.ts';
import { listSince } from './since.ts';

type EntryVisibility = Pick<Shaping, 'visibleUsers' | 'gained' | 'lost'>;

/**
 * The users visible to a queue's owner as of each entry of a run, and the users who become visible or hidden by
 * an entry. Reads nothing for members, and only the organization for guests who see all users.
 */
export class VisibilityReader {
  readonly #services: Services;
  readonly #queueId: string;
  readonly #filter: QueueFilter;
  readonly #userId: number;
  readonly #run: LogEntry[];
  #organization: Promise<Organization> | undefined;
  #history: Promise<VisibilityHistory> | undefined;
  /** The visible users before each entry that changed them. */
  readonly #known = new Map<number, Set<number>>();
  /** Hidden authors who are known not to be bots. */
  readonly #people = new Set<number>();

  constructor(services: Services, { queueId, userId, filter }: ObservedQueue, run: LogEntry[]) {
    this.#services = services;
    this.#queueId = queueId;
    this.#filter = filter;
    this.#userId = userId;
    this.#run = run;
  }

  /**
   * `user` is the owner with the role after the entry.
   * @throws BadEventQueueId when too much has changed since to reconstruct the visible users
   */
  async at(entry: LogEntry, user: User): Promise<EntryVisibility> {
    const previous = beforeRole(user, entry);
    if (!isGuest(user) && !isGuest(previous)) return {};
    this.#organization ??= getOrganization(this.#services.table);
    const organization = await this.#organization;
    const isChange = changesVisibility(entry, this.#userId);
    const { position } = entry;
    const after = await this.#knownBy(user, position);
    const before = isChange ? await this.#knownBy(previous, position - 1) : after;
    const changed = isChange ? await this.#compare(organization, before, after, position) : {};
    if (!after) return changed;
    const visibleUsers = { userIds: after, domain: mailDomainOf(organization) };
    return { ...changed, visibleUsers: await this.#withBots(visibleUsers, namedIn(entry)) };
  }

  async #withBots(visibleUsers: VisibleUsers, userIds: number[]): Promise<VisibleUsers | undefined> {
    const asked = userIds.filter((userId) => !this.#people.has(userId));
    const wider = await withBotsAmong(this.#services.table, visibleUsers, asked);
    for (const userId of asked) if (!isSeen(wider, userId)) this.#people.add(userId);
    return wider;
  }

  /** The users visible after a position, if not all were. */
  async #knownBy(user: User, position: number): Promise<Set<number> | undefined> {
    const organization = await this.#organization;
    if (!organization || seesEverybody(user, visibilityGroupsAt(organization, position))) return undefined;
    this.#history ??= this.#load();
    const history = await this.#history;
    const nextChange = history.changes.find(
      (entry) => entry.position > position && changesVisibility(entry, this.#userId),
    );
    const until = nextChange?.position ?? Number.POSITIVE_INFINITY;
    const known = this.#known.get(until) ?? acquaintedAt(history, position);
    this.#known.set(until, known);
    return known;
  }

  /** Loads the present state, then all changes that it may include. */
  async #load(): Promise<VisibilityHistory> {
    const { table } = this.#services;
    const userId = this.#userId;
    const [subscriptions, summaries] = await Promise.all([
      listSubscriptions(table, userId),
      listConversationSummaries(table, userId),
    ]);
    const members = await mapConcurrently(
      subscriptions,
      async ({ channelId }): Promise<[number, Set<number>]> => [
        channelId,
        new Set(await listSubscriberIds(table, channelId)),
      ],
    );
    const changes = [...this.#run, ...(await this.#listSince())];
    const active = conversationsIn(changes, userId);
    const known = new Map(summaries.map(({ userIds }) => [conversationKey(userIds), userIds]));
    for (const key of active) known.set(key, key.split(',').map(Number));
    const conversations = await mapConcurrently([...known], async ([key, userIds]) => ({
      userIds,
      beganAt: active.has(key) ? await this.#beginningOf(userIds, changes) : 0,
    }));
    return { userId, subscriptions, members: new Map(members), conversations, changes };
  }

  #listSince(): Promise<LogEntry[]> {
    return listSince(this.#services.table, this.#queueId, this.#run.at(-1)?.position ?? 0);
  }

  /** The index may lag behind the entries of the run. */
  async #beginningOf(userIds: number[], changes: LogEntry[]): Promise<number> {
    const indexed = await findFirstOfConversation(this.#services.table, userIds);
    const key = conversationKey(userIds);
    const seen = changes.find((entry) => conversationsIn([entry], this.#userId).has(key));
    return Math.min(indexed ?? Number.POSITIVE_INFINITY, seen?.position ?? Number.POSITIVE_INFINITY);
  }

  /**
   * The users who become visible or hidden by a change, with roles and addresses as of the position. Bots stay visible,
   * so accounts are read to distinguish them.
   */
  async #compare(
    organization: Organization,
    before: Set<number> | undefined,
    after: Set<number> | undefined,
    position: number,
  ): Promise<Pick<Shaping, 'gained' | 'lost'>> {
    if (before === after) return {};
    const { table } = this.#services;
    const isKnown = (known: Set<number> | undefined, userId: number): boolean => known?.has(userId) ?? true;
    const ids = [...(before ?? []), ...(after ?? [])].filter(
      (userId) => isKnown(before, userId) !== isKnown(after, userId),
    );
    const asked = before && after ? await listUsersById(table, ids) : await listUsers(table);
    const people = peopleBefore(asked, await this.#changesAfter(position)).filter(({ isBot }) => !isBot);
    const gained = people.filter(({ userId }) => isKnown(after, userId) && !isKnown(before, userId));
    return {
      gained: await loadNewcomers(this.#services, this.#filter, organization, gained),
      lost: people
        .map(({ userId }) => userId)
        .filter((userId) => isKnown(before, userId) && !isKnown(after, userId)),
    };
  }

  /** Called after users were read, so that it has all changes since the position which these may include. */
  async #changesAfter(position: number): Promise<ShapedEntry[]> {
    const changes = [...this.#run, ...(await this.#listSince())];
    return changes.filter((entry) => entry.position > position);
  }
}

/** Users described in an entry's events by more than an id. */
const namedIn = ({ events, message }: LogEntry): number[] => [
  ...(message ? [message.senderId] : []),
  ...events.flatMap(({ payload }) =>
    'person' in payload ? [payload.person.user_id] : typingPeople(payload),
  ),
];
