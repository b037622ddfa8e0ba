import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { mailDomainOf, type Organization, sightGroupsAt } from '#shared/domain/organization/organization.ts';
import { isSeen, type Sight, seesEverybody } from '#shared/domain/users/sight.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import {
  type Acquaintance,
  acquaintedAt,
  beforeRole,
  conversationsIn,
  turnsSight,
} from '#shared/events/acquaintance.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import type { ShapedEntry } from '#shared/events/shape.ts';
import { typingPeople } from '#shared/events/shapers/typing.ts';
import type { Shaping } from '#shared/events/shaping.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findFirstOfConversation, listConversationHeads } from '#shared/store/conversations.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { withBotsAmong } from '#shared/store/sight.ts';
import { listSubscriberIds, listSubscriptions } from '#shared/store/subscriptions.ts';
import { listUsers, listUsersById } from '#shared/store/users.ts';
import { meet } from './newcomers.ts';
import type { Queue } from './queue.ts';
import { listSince } from './since.ts';

type EntrySight = Pick<Shaping, 'sight' | 'gained' | 'lost'>;

/**
 * Whom the owner of a queue sees as of each entry of a run of the log, and who comes into sight or goes out of it by the
 * entry. Reads nothing for members, and only the organization for guests who see everybody.
 */
export class SightReader {
  readonly #services: Services;
  readonly #queueId: string;
  readonly #filter: QueueFilter;
  readonly #userId: number;
  readonly #run: LogEntry[];
  #organization: Promise<Organization> | undefined;
  #acquaintance: Promise<Acquaintance> | undefined;
  /** Whom they knew until each entry that turned it. */
  readonly #known = new Map<number, Set<number>>();
  /** Unseen authors who are no bots, and never will be. */
  readonly #people = new Set<number>();

  constructor(services: Services, { queueId, userId, filter }: Queue, run: LogEntry[]) {
    this.#services = services;
    this.#queueId = queueId;
    this.#filter = filter;
    this.#userId = userId;
    this.#run = run;
  }

  /**
   * `user` is the owner with the role that they have after the entry.
   * @throws BadEventQueueId where so much happened since that whom they saw is not worked out any more
   */
  async at(entry: LogEntry, user: User): Promise<EntrySight> {
    const previous = beforeRole(user, entry);
    if (!isGuest(user) && !isGuest(previous)) return {};
    this.#organization ??= getOrganization(this.#services.table);
    const organization = await this.#organization;
    const isTurn = turnsSight(entry, this.#userId);
    const { position } = entry;
    const after = await this.#knownBy(user, position);
    const before = isTurn ? await this.#knownBy(previous, position - 1) : after;
    const changed = isTurn ? await this.#compare(organization, before, after, position) : {};
    if (!after) return changed;
    const sight = { userIds: after, domain: mailDomainOf(organization) };
    return { ...changed, sight: await this.#withBots(sight, namedIn(entry)) };
  }

  async #withBots(sight: Sight, userIds: number[]): Promise<Sight | undefined> {
    const asked = userIds.filter((userId) => !this.#people.has(userId));
    const wider = await withBotsAmong(this.#services.table, sight, asked);
    for (const userId of asked) if (!isSeen(wider, userId)) this.#people.add(userId);
    return wider;
  }

  /** Whom the user knew after a position, if they did not see everybody then. */
  async #knownBy(user: User, position: number): Promise<Set<number> | undefined> {
    const organization = await this.#organization;
    if (!organization || seesEverybody(user, sightGroupsAt(organization, position))) return undefined;
    this.#acquaintance ??= this.#load();
    const acquaintance = await this.#acquaintance;
    const turn = acquaintance.changes.find(
      (entry) => entry.position > position && turnsSight(entry, this.#userId),
    );
    const until = turn?.position ?? Number.POSITIVE_INFINITY;
    const known = this.#known.get(until) ?? acquaintedAt(acquaintance, position);
    this.#known.set(until, known);
    return known;
  }

  /** The state of now, and then everything that may have become true until it was read. */
  async #load(): Promise<Acquaintance> {
    const { table } = this.#services;
    const userId = this.#userId;
    const [subscriptions, heads] = await Promise.all([
      listSubscriptions(table, userId),
      listConversationHeads(table, userId),
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
    const known = new Map(heads.map(({ userIds }) => [conversationKey(userIds), userIds]));
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

  /** The index may lag behind what the run holds. */
  async #beginningOf(userIds: number[], changes: LogEntry[]): Promise<number> {
    const indexed = await findFirstOfConversation(this.#services.table, userIds);
    const key = conversationKey(userIds);
    const seen = changes.find((entry) => conversationsIn([entry], this.#userId).has(key));
    return Math.min(indexed ?? Number.POSITIVE_INFINITY, seen?.position ?? Number.POSITIVE_INFINITY);
  }

  /** Who is seen since a turn, and who is not any more. Bots always are; somebody else's account is read to know. */
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
    const asked = before && after ? await listUsersById(table, ids) : await this.#listUsersAt(position);
    const people = asked.filter(({ isBot }) => !isBot);
    const gained = people.filter(({ userId }) => isKnown(after, userId) && !isKnown(before, userId));
    return {
      gained: await meet(this.#services, this.#filter, organization, gained),
      lost: people
        .map(({ userId }) => userId)
        .filter((userId) => isKnown(before, userId) && !isKnown(after, userId)),
    };
  }

  /** Everybody who was there: the users of now, and then without those who came until they were read. */
  async #listUsersAt(position: number): Promise<User[]> {
    const users = await listUsers(this.#services.table);
    const comers = usersAddedAfter([...this.#run, ...(await this.#listSince())], position);
    return users.filter(({ userId }) => !comers.has(userId));
  }
}

/** Whoever came after a position is no newcomer there: the entry that creates them tells of them. */
const usersAddedAfter = (changes: ShapedEntry[], position: number): Set<number> =>
  new Set(
    changes
      .filter((entry) => entry.position > position)
      .flatMap(({ events }) => events.map(({ payload }) => payload))
      .filter(({ type, op }) => type === 'realm_user' && op === 'add')
      .map(({ user }) => (user as User).userId),
  );

/** Those whom the events of an entry describe by more than an id. */
const namedIn = ({ events, message }: LogEntry): number[] => [
  ...(message ? [message.senderId] : []),
  ...events.flatMap(({ payload }) => {
    const person = payload.person as { user_id: number } | undefined;
    return payload.type === 'realm_user' && person ? [person.user_id] : typingPeople(payload);
  }),
];
