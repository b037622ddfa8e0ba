import { followUps } from '#shared/domain/channels/announcements.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import {
  checkGroupSettings,
  checkNewChannelSettings,
  createChannel,
  type NewChannelSettings,
  requireMayCreate,
} from '#shared/domain/channels/create.ts';
import { type Defaults, defaultsOf } from '#shared/domain/channels/defaults.ts';
import { requireUsableFolder } from '#shared/domain/channels/folders.ts';
import { groupSettingsOf, mayCreate, mayKnow } from '#shared/domain/channels/permissions.ts';
import { ChannelAlreadyExists } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { Joining, Target } from '#shared/domain/subscriptions/batches.ts';
import {
  type AskedTarget,
  authorizeTargets,
  emptyChannelChange,
  listJoinings,
  type Principal,
  subscribeChanges,
} from '#shared/domain/subscriptions/subscribe.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import type { User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsByName } from '#shared/store/channels.ts';
import { listFolders } from '#shared/store/folders.ts';
import { learnMemberships, listNamed } from '#shared/store/groups.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { loadPrincipal } from '#shared/store/principals.ts';
import { keys } from '#shared/table/keys.ts';
import { commit, withFreshState } from './commit.ts';

/** A channel as somebody asks for it. */
export interface ChannelRequest {
  name: string;
  description: string;
  /** The colour that the caller chose for themselves. */
  color: string | undefined;
}

export interface SubscribeCall {
  services: Services;
  caller: User;
  requests: ChannelRequest[];
  settings: NewChannelSettings;
  users: User[];
  options: {
    /** One channel that the caller may not subscribe people to fails the whole call. */
    isFatal: boolean;
    /** The channels must not exist yet. */
    isCreation: boolean;
    announces: boolean;
    tellsPeople: boolean;
  };
}

export interface SubscribeOutcome {
  /** What is committed; it grows when several transactions are needed. */
  done: Joining[];
  already: [userId: number, channelName: string][];
  unauthorized: string[];
}

interface Attempt extends SubscribeCall {
  done: Joining[];
  /** The ids of channels that this call creates, so that it knows its own when it tries again. */
  channelIds: Map<string, number>;
}

/**
 * Subscribes users to channels by name, creating those that do not exist.
 * @throws BadRequest, UnauthorizedPrincipal or ChannelAlreadyExists; then nothing has happened
 */
export async function subscribeUsers(call: SubscribeCall): Promise<SubscribeOutcome> {
  const attempt: Attempt = { ...call, done: [], channelIds: new Map() };
  const { already, unauthorized } = await withFreshState(call.services, () => subscribeAll(attempt));
  return { done: attempt.done, already, unauthorized };
}

/** The ids under which a call that only creates channels made them, in the order asked for. */
export async function createChannels(call: SubscribeCall): Promise<number[]> {
  const attempt: Attempt = { ...call, done: [], channelIds: new Map() };
  await withFreshState(call.services, () => subscribeAll(attempt));
  return call.requests.flatMap(({ name }) => attempt.channelIds.get(toCanonical(name)) ?? []);
}

async function subscribeAll(attempt: Attempt) {
  const { services, caller, users, done, options } = attempt;
  const { table } = services;
  const [principals, self, organization] = await Promise.all([
    mapConcurrently(users, (user) => loadPrincipal(table, { ...user })),
    loadPrincipal(table, { ...caller }),
    getOrganization(table),
  ]);
  await learnMemberships(table, self.user, Object.values(organization.groups));
  const { targets, refused } = await loadTargets(attempt, self, organization);
  const named = targets.flatMap(({ channel }) => groupSettingsOf(channel));
  await mapConcurrently([self, ...principals], ({ user }) => learnMemberships(table, user, named));
  const { authorized, unauthorized } = authorizeTargets(self, principals, targets, {
    isFatal: options.isFatal,
    organization: organization.groups,
  });
  const joinings = listJoinings(caller.userId, principals, authorized);
  const already = listAlready(principals, authorized, done);
  await commitAll(attempt, authorized, joinings, defaultsOf(organization));
  return { already, unauthorized: [...refused, ...unauthorized.map(({ asked }) => asked)] };
}

async function commitAll(
  { services, caller, done, options, users }: Attempt,
  targets: Target[],
  joinings: Joining[],
  defaults: Defaults,
): Promise<void> {
  const batches = subscribeChanges(targets, joinings, defaults);
  for (const [index, batch] of batches.entries()) {
    const isLast = index === batches.length - 1;
    const jobs = isLast ? followUps(caller.userId, [...done, ...batch.joinings], options) : [];
    await commit(services, { ...batch.change, jobs });
    done.push(...batch.joinings);
  }
  const [target] = targets;
  if (users.length === 0 && target?.isNew)
    await commit(services, {
      ...emptyChannelChange(target, defaults),
      jobs: followUps(caller.userId, [], { ...options, created: [target.channel.channelId] }),
    });
}

/**
 * The channels asked for, new ones included. Callers who may not create channels are refused those that do not exist;
 * private channels that they may not know of are refused with the same words.
 */
async function loadTargets(
  attempt: Attempt,
  self: Principal,
  organization: Organization,
): Promise<{ targets: AskedTarget[]; refused: string[] }> {
  const { services, requests, settings, options, channelIds } = attempt;
  const names = requests.map(({ name }) => name);
  const existing = await listChannelsByName(services.table, names);
  await learnMemberships(services.table, self.user, existing.flatMap(groupSettingsOf));
  const byName = new Map(existing.map((channel) => [toCanonical(channel.name), channel]));
  const isOurs = ({ name }: ChannelRequest): boolean => {
    const channelId = byName.get(toCanonical(name))?.channelId;
    return channelId !== undefined && channelIds.get(toCanonical(name)) === channelId;
  };
  const isOpen = ({ name }: ChannelRequest): boolean => {
    const channel = byName.get(toCanonical(name));
    if (!channel?.isPrivate) return channel !== undefined;
    return mayKnow(self.user, { channel, subscription: self.subscriptions.get(channel.channelId) });
  };
  const creates = mayCreate(self.user, settings.isPrivate, organization.groups);
  const isRefused = (request: ChannelRequest): boolean => !creates && !isOurs(request) && !isOpen(request);
  const refused = requests.filter(isRefused).map(({ name }) => name);
  if (refused.length > 0 && options.isFatal)
    requireMayCreate(self.user, settings.isPrivate, organization.groups);
  const allowed = requests.filter((request) => !isRefused(request));
  const isSettled = allowed.every(({ name }) => byName.has(toCanonical(name)));
  if (!isSettled || (options.isCreation && !allowed.every(isOurs)))
    await checkSettings(services, self.user, settings, organization);
  if (options.isCreation)
    requireNew(
      allowed.filter((request) => !isOurs(request)),
      byName,
    );
  const targets: AskedTarget[] = [];
  for (const request of allowed) {
    const found = byName.get(toCanonical(request.name));
    const channel = found ?? (await newChannel(attempt, request));
    const isNew = !found;
    const { name: asked, color } = request;
    const isDefault = isNew && settings.isDefault;
    targets.push({ channel, isNew, isOurs: isOurs(request), isDefault, color, asked });
  }
  return { targets, refused };
}

function requireNew(requests: ChannelRequest[], byName: Map<string, Channel>): void {
  const taken = requests.find(({ name }) => byName.has(toCanonical(name)));
  if (taken) throw new ChannelAlreadyExists(taken.name);
}

async function checkSettings(
  { table, config }: Services,
  caller: User,
  settings: NewChannelSettings,
  organization: Organization,
): Promise<void> {
  const allowsWebPublic = config.webPublicChannels && organization.settings.enable_spectator_access;
  checkNewChannelSettings(caller, settings, { organization: organization.groups, allowsWebPublic });
  checkGroupSettings(settings, await listNamed(table, Object.values(settings.groups)));
  if (settings.folderId !== null) requireUsableFolder(await listFolders(table), settings.folderId);
}

async function newChannel(
  { services, caller, settings, channelIds }: Attempt,
  { name, description }: ChannelRequest,
): Promise<Channel> {
  const channelId = await services.table.increment(keys.counter('channel'), 'id');
  channelIds.set(toCanonical(name), channelId);
  const nowSeconds = toSeconds(services.clock.nowMs());
  return createChannel(
    { channelId, name, description, creatorId: caller.userId, subscriberCount: 0, nowSeconds },
    settings,
  );
}

function listAlready(principals: Principal[], targets: Target[], done: Joining[]): [number, string][] {
  const isDone = (userId: number, channelId: number): boolean =>
    done.some(({ user, target }) => user.userId === userId && target.channel.channelId === channelId);
  return principals.flatMap(({ user, subscriptions }) =>
    targets
      .filter(({ channel }) => isSubscribed(subscriptions.get(channel.channelId)))
      .filter(({ channel }) => !isDone(user.userId, channel.channelId))
      .map(({ channel }): [number, string] => [user.userId, channel.name]),
  );
}
