import { type Account, roles } from '#shared/domain/users/user.ts';
import type { Audience } from '#shared/events/catalogue.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';

/** The people who see the address of a user, and its substitute elsewhere. */
export interface AddressCard {
  email: string;
  emailVisibility?: number;
  dummyEmail?: string;
  avatarVersion: number;
  avatarPicture?: string;
}

type Setting = number | { direct_members: number[]; direct_subgroups: number[] };
type ChannelAudience = Extract<Audience, { kind: 'channel' }>;
type Reach = Pick<ChannelAudience, 'isPublic' | 'isWebPublic' | 'knownToMembersOf' | 'knownToAllOf'>;

interface Group {
  members: Set<number>;
  below: Set<number>;
  isDeactivated: boolean;
}

const EVERYONE_GROUP = 7;
/** The groups that follow from the role, by id: every user of this role and of those above. */
const LEAST_ROLE: Record<number, number> = {
  2: roles.owner,
  3: roles.administrator,
  4: roles.moderator,
  5: roles.member,
  6: roles.member,
  7: roles.guest,
  8: roles.guest,
};

/** The channels of every user as of one position, by the log's events alone. */
export class Membership {
  readonly #subscribers = new Map<number, Map<number, number[]>>();

  /** @throws Error when a user comes who is there, or goes who is not */
  apply({ position, events }: LogEntry): void {
    const leavings = new Set<string>();
    for (const { payload } of events) {
      if (payload.type !== 'subscription') continue;
      if (payload.op === 'add')
        for (const [userId, channelId] of payload.rows) this.#turn(userId, channelId, position, true);
      if (payload.op === 'peer_remove')
        for (const channelId of payload.stream_ids as number[])
          for (const userId of payload.user_ids as number[]) leavings.add(`${userId} ${channelId}`);
    }
    for (const leaving of leavings) {
      const [userId, channelId] = leaving.split(' ').map(Number) as [number, number];
      this.#turn(userId, channelId, position, false);
    }
  }

  #turn(userId: number, channelId: number, position: number, comes: boolean): void {
    const turns = this.turnsOf(userId, channelId);
    if (this.has(userId, channelId) === comes)
      throw new Error(
        `At ${position}, user ${userId} ${comes ? 'comes to' : 'leaves'} channel ${channelId} twice`,
      );
    turns.push(position);
  }

  /** The positions at which the user came and left, in turns. */
  turnsOf(userId: number, channelId: number): number[] {
    const users = this.#subscribers.get(channelId) ?? new Map<number, number[]>();
    this.#subscribers.set(channelId, users);
    const turns = users.get(userId) ?? [];
    users.set(userId, turns);
    return turns;
  }

  has(userId: number, channelId: number): boolean {
    return this.turnsOf(userId, channelId).length % 2 === 1;
  }

  /** Whether anybody is in the channel. */
  isPeopled(channelId: number): boolean {
    return [...(this.#subscribers.get(channelId)?.keys() ?? [])].some((userId) =>
      this.has(userId, channelId),
    );
  }

  /** Whether the user was in the channel before the position and did not leave by it. */
  hadAt(userId: number, channelId: number, position: number): boolean {
    const turns = this.turnsOf(userId, channelId);
    return turns.filter((turn) => turn < position).length % 2 === 1 && !turns.includes(position);
  }

  /** The people who share a channel with the user, themselves included. */
  companionsOf(userId: number): Set<number> {
    const shared = [...this.#subscribers].filter(([channelId]) => this.has(userId, channelId));
    const companions = shared.flatMap(([channelId, users]) =>
      [...users.keys()].filter((one) => this.has(one, channelId)),
    );
    return new Set([userId, ...companions]);
  }
}

/** The roles of everyone as of one position of the log, by its events and the initial state. */
export class Society {
  readonly membership = new Membership();
  readonly roles = new Map<number, number>();
  readonly addresses = new Map<number, AddressCard>();
  readonly #owners = new Map<number, number | null>();
  readonly #systemBots = new Set([1, 2, 3]);
  readonly #groups = new Map<number, Group>();
  readonly #partners = new Map<number, Set<number>>();
  /** The people who turned typing notices off. */
  readonly #indifferent = new Set<number>();
  #guestsSeeAll = true;

  constructor(founders: Account[]) {
    for (const one of founders) {
      this.roles.set(one.userId, one.role);
      this.addresses.set(one.userId, one);
    }
  }

  apply(entry: LogEntry): void {
    this.membership.apply(entry);
    for (const { audience, payload } of entry.events) {
      if (payload.type === 'realm_user') this.#applyUser(payload);
      if (payload.type === 'user_group') this.#applyGroup(payload);
      const { data } = payload as { data?: Record<string, unknown> };
      if (payload.type === 'realm' && data?.can_access_all_users_group !== undefined)
        this.#guestsSeeAll = data.can_access_all_users_group === EVERYONE_GROUP;
      if (payload.type === 'user_settings' && payload.property === 'receives_typing_notifications')
        for (const userId of (audience as { userIds: number[] }).userIds)
          if (payload.value) this.#indifferent.delete(userId);
          else this.#indifferent.add(userId);
    }
    if (entry.message?.kind !== 'direct') return;
    const ids = entry.message.recipients.map(({ id }) => id);
    for (const id of ids) this.#partners.set(id, new Set([...(this.#partners.get(id) ?? []), ...ids]));
  }

  #applyUser(payload: AnyPayload): void {
    if (payload.op === 'add') {
      const user = payload.user as Account;
      this.roles.set(user.userId, user.role);
      this.addresses.set(user.userId, user);
      if (user.isBot) this.#owners.set(user.userId, user.botOwnerId);
      return;
    }
    const person = payload.person as { user_id: number; role?: number; bot_owner_id?: number };
    if (payload.after) this.addresses.set(person.user_id, payload.after as AddressCard);
    if (person.role !== undefined) this.roles.set(person.user_id, person.role);
    if (person.bot_owner_id !== undefined) this.#owners.set(person.user_id, person.bot_owner_id);
  }

  #applyGroup(payload: AnyPayload): void {
    if (payload.op === 'add') {
      const { id, members, direct_subgroup_ids } = payload.group as {
        id: number;
        members: number[];
        direct_subgroup_ids: number[];
      };
      const group = { members: new Set(members), below: new Set(direct_subgroup_ids), isDeactivated: false };
      this.#groups.set(id, group);
      return;
    }
    const group = this.#groups.get(payload.group_id as number);
    if (!group) return;
    const { user_ids: userIds = [], direct_subgroup_ids: groupIds = [] } = payload as {
      user_ids?: number[];
      direct_subgroup_ids?: number[];
    };
    if (payload.op === 'add_members') for (const id of userIds) group.members.add(id);
    if (payload.op === 'remove_members') for (const id of userIds) group.members.delete(id);
    if (payload.op === 'add_subgroups') for (const id of groupIds) group.below.add(id);
    if (payload.op === 'remove_subgroups') for (const id of groupIds) group.below.delete(id);
    const { deactivated } = (payload.data ?? {}) as { deactivated?: boolean };
    if (deactivated !== undefined) group.isDeactivated = deactivated;
  }

  roleOf(userId: number): number {
    return this.roles.get(userId) ?? roles.member;
  }

  isBot(userId: number): boolean {
    return this.#owners.has(userId) || this.#systemBots.has(userId);
  }

  get everyone(): number[] {
    return [...this.roles.keys()];
  }

  wantsTyping(userId: number): boolean {
    return !this.#indifferent.has(userId);
  }

  /** The people that a user sees; undefined if that is every user. Bots are seen by all. */
  visibleUsersOf(userId: number): Set<number> | undefined {
    if (this.#guestsSeeAll || this.roleOf(userId) < roles.guest) return undefined;
    return new Set([...this.membership.companionsOf(userId), ...(this.#partners.get(userId) ?? [])]);
  }

  sees(viewerId: number, userId: number): boolean {
    return this.isBot(userId) || (this.visibleUsersOf(viewerId)?.has(userId) ?? true);
  }

  /** Whether the user is in the audience of an event of the last applied entry. */
  belongsTo(audience: Audience, userId: number, position: number): boolean {
    const role = this.roleOf(userId);
    switch (audience.kind) {
      case 'everyone':
        return true;
      case 'members':
        return role < roles.guest;
      case 'administrators':
        return role <= roles.administrator || (audience.orUserIds?.includes(userId) ?? false);
      case 'owners':
        return role === roles.owner;
      case 'users':
        return audience.userIds.includes(userId) && this.#isMeant(audience, userId);
      case 'holders':
        return audience.channelIds.some((channelId) => this.membership.hadAt(userId, channelId, position));
      case 'subscribers':
        return this.membership.hadAt(userId, audience.channelId, position);
      case 'readers': {
        const { channelId, messageId, isHistoryPublic, isPrivate } = audience;
        const got = this.membership.hadAt(userId, channelId, messageId);
        if (this.membership.hadAt(userId, channelId, position)) return isHistoryPublic || got;
        return got && !isPrivate;
      }
      case 'channel':
        return this.#mayKnow(audience, userId);
    }
  }

  #mayKnow(audience: ChannelAudience, userId: number): boolean {
    const { channelId, exceptUserIds } = audience;
    if (exceptUserIds?.includes(userId)) return false;
    if (this.membership.has(userId, channelId)) return audience.unless === undefined;
    return this.isWithin(audience, userId) && this.#isMeant(audience, userId);
  }

  #isMeant({ onlyIf, unless }: { onlyIf?: Reach; unless?: Reach }, userId: number): boolean {
    return (!onlyIf || this.isWithin(onlyIf, userId)) && !(unless && this.isWithin(unless, userId));
  }

  isWithin({ isPublic, isWebPublic, knownToMembersOf = [], knownToAllOf = [] }: Reach, userId: number) {
    const role = this.roleOf(userId);
    const isGuest = role >= roles.guest;
    if (isWebPublic || role <= roles.administrator || (isPublic && !isGuest)) return true;
    const settings = isGuest ? knownToAllOf : [...knownToAllOf, ...knownToMembersOf];
    return settings.some((setting) => this.isNamed(setting, userId));
  }

  isNamed(setting: Setting, userId: number): boolean {
    if (typeof setting !== 'number')
      return (
        setting.direct_members.includes(userId) ||
        setting.direct_subgroups.some((id) => this.isNamed(id, userId))
      );
    const leastRole = LEAST_ROLE[setting];
    if (leastRole !== undefined) return this.roleOf(userId) <= leastRole;
    const group = this.#groups.get(setting);
    if (!group || group.isDeactivated) return false;
    return group.members.has(userId) || [...group.below].some((id) => this.isNamed(id, userId));
  }
}
