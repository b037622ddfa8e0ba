import { followUps } from '#shared/domain/channels/announcements.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { type NewChannelSettings, requireMayCreate } from '#shared/domain/channels/create.ts';
import { defaultsOf } from '#shared/domain/channels/defaults.ts';
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
  type Surroundings,
  subscribeChanges,
} from '#shared/domain/subscriptions/subscribe.ts';
import { isSubscribed, type Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commitOutcome, commitWithAnswer, type Retry, withFreshState } from '#shared/log/commit.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsByName } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { loadPrincipal } from '#shared/store/users/principals.ts';
import { readVisibilityRevision } from '#shared/store/visibility/visibility-revision.ts';
import { isRefusal } from './count-within-day.ts';
import { type ChannelRequest, NewChannels } from './new-channels.ts';

export interface SubscribeCall<Answer extends object = object> {
  services: Services;
  retry?: Retry | undefined;
  caller: User;
  requests: ChannelRequest[];
  settings: NewChannelSettings;
  users: User[];
  options: {
    /** An unauthorized channel fails the whole call. */
    isFatal: boolean;
    /** The channels must be new. */
    isCreation: boolean;
    announces: boolean;
    /** Whether people are notified of existing channels to which another user subscribes them. */
    tellsPeople?: boolean;
  };
  /** Makes the reply; called before the last transaction, when the outcome is known. */
  answer: (outcome: SubscribeOutcome) => Answer;
}

/** A subscription made by the call. */
export type Subscribed = Pick<Joining, 'user' | 'target'>;

export interface SubscribeOutcome {
  done: Subscribed[];
  already: [userId: number, channelName: string][];
  unauthorized: string[];
  /** The channels of the call in the requested order. */
  channelIds: number[];
}

interface Attempt<Answer extends object> extends SubscribeCall<Answer> {
  /** Log positions of the call's earlier transactions, by which it recognizes its own subscriptions. */
  positions: number[];
  /** Ids of channels created by the call, by which a retry recognizes them. */
  channelIds: number[];
  creation: NewChannels;
}

/**
 * Subscribes users to channels by name and creates missing channels.
 * @throws BadRequest, UnauthorizedPrincipal or ChannelAlreadyExists, without any effect
 */
export async function subscribeUsers<Answer extends object>(call: SubscribeCall<Answer>): Promise<Answer> {
  const { positions = [], channelIds = [] } = (call.retry?.progress ?? {}) as Partial<Done>;
  const creation = new NewChannels(call.services, call.caller, call.settings);
  const attempt: Attempt<Answer> = {
    ...call,
    positions: [...positions],
    channelIds: [...channelIds],
    creation,
  };
  try {
    return await withFreshState(call.services, () => subscribeAll(attempt));
  } catch (failure) {
    if (isRefusal(failure) && attempt.positions.length === 0) await creation.takeBack();
    throw failure;
  }
}

/** The progress of a call, for a retry that continues it. */
type Done = Pick<Attempt<object>, 'positions' | 'channelIds'>;

async function subscribeAll<Answer extends object>(attempt: Attempt<Answer>): Promise<Answer> {
  const { services, caller, users, options, positions } = attempt;
  const { table } = services;
  const others = users.filter(({ userId }) => userId !== caller.userId);
  const [loaded, self, organization] = await Promise.all([
    mapConcurrently(others, (user) => loadPrincipal(table, { ...user })),
    loadPrincipal(table, { ...caller }),
    getOrganization(table),
  ]);
  const byId = new Map([self, ...loaded].map((principal) => [principal.user.userId, principal]));
  const principals = users.flatMap(({ userId }) => byId.get(userId) ?? []);
  await learnMemberships(table, self.user, Object.values(organization.groups));
  const { targets, refused } = await loadTargets(attempt, self, organization);
  const named = targets.flatMap(({ channel }) => groupSettingsOf(channel));
  await mapConcurrently([...byId.values()], ({ user }) => learnMemberships(table, user, named));
  const { authorized: described, unauthorized } = authorizeTargets(self, principals, targets, {
    isFatal: options.isFatal,
    organization: organization.groups,
  });
  const authorized = await withIds(attempt, described);
  const before = listDone(principals, authorized, positions);
  const isDone = isAmong(before);
  const joinings = listJoinings(caller.userId, principals, authorized).filter((joining) => !isDone(joining));
  const outcome: SubscribeOutcome = {
    done: [...before, ...joinings],
    already: listAlready(principals, authorized)
      .filter((joining) => !isDone(joining))
      .map(nameOf),
    unauthorized: [...refused, ...unauthorized.map(({ asked }) => asked)],
    channelIds: authorized.map(({ channel }) => channel.channelId),
  };
  const isCreation = targets.some(({ isNew }) => isNew);
  const surroundings = isCreation
    ? { defaults: defaultsOf(organization), visibilityRevision: await readVisibilityRevision(table) }
    : undefined;
  await commitAll(attempt, { targets: authorized, joinings, surroundings, outcome });
  return attempt.answer(outcome);
}

/** The decision of one attempt. */
interface Plan {
  targets: Target[];
  joinings: Joining[];
  /** Present if channels are created. */
  surroundings: Surroundings | undefined;
  outcome: SubscribeOutcome;
}

async function commitAll<Answer extends object>(
  { services, retry, caller, options, users, positions, channelIds, answer }: Attempt<Answer>,
  { targets, joinings, surroundings, outcome }: Plan,
): Promise<void> {
  const batches = subscribeChanges(targets, joinings, surroundings).map(({ change }) => change);
  const last = batches.pop();
  for (const change of batches)
    positions.push(
      await commitOutcome(services, retry, change, (position) => ({
        progress: { positions: [...positions, position], channelIds },
      })),
    );
  const fields = answer(outcome);
  const [target] = targets;
  // If others did the rest in the meantime, the part done here still has its follow-ups.
  if (last || outcome.done.length > 0) {
    const jobs = followUps(caller.userId, outcome.done, options);
    await commitWithAnswer(services, retry, { ...last, jobs }, fields);
  } else if (users.length === 0 && target?.isNew && surroundings) {
    const created = [target.channel.channelId];
    const jobs = followUps(caller.userId, [], { ...options, created });
    await commitWithAnswer(services, retry, { ...emptyChannelChange(target, surroundings), jobs }, fields);
  }
}

/**
 * The requested channels, including new ones. Callers who may not create channels get the same error for
 * missing channels and for hidden private ones.
 */
async function loadTargets<Answer extends object>(
  attempt: Attempt<Answer>,
  self: Principal,
  organization: Organization,
): Promise<{ targets: AskedTarget[]; refused: string[] }> {
  const { services, requests, settings, options, channelIds, creation } = attempt;
  const names = requests.map(({ name }) => name);
  const existing = await listChannelsByName(services.table, names);
  await learnMemberships(services.table, self.user, existing.flatMap(groupSettingsOf));
  const byName = new Map(existing.map((channel) => [toCanonical(channel.name), channel]));
  const isOurs = ({ name }: ChannelRequest): boolean => {
    const channel = byName.get(toCanonical(name));
    return channel !== undefined && channelIds.includes(channel.channelId);
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
    await creation.check(self.user, organization);
  if (options.isCreation)
    requireNew(
      allowed.filter((request) => !isOurs(request)),
      byName,
    );
  const created = await creation.describe(allowed.filter(({ name }) => !byName.has(toCanonical(name))));
  const createdByName = new Map(created.map((channel) => [channel.name, channel]));
  const targets = allowed.flatMap((request): AskedTarget[] => {
    const found = byName.get(toCanonical(request.name));
    const channel = found ?? createdByName.get(request.name);
    const isNew = !found;
    const { name: asked, color } = request;
    const isDefault = isNew && settings.isDefault;
    return channel ? [{ channel, isNew, isOurs: isOurs(request), isDefault, color, asked }] : [];
  });
  return { targets, refused };
}

/** The targets, new ones with their ids. */
async function withIds<Answer extends object>(
  { creation, channelIds }: Attempt<Answer>,
  targets: AskedTarget[],
): Promise<AskedTarget[]> {
  const created = await creation.reserve(targets.flatMap(({ isNew, channel }) => (isNew ? [channel] : [])));
  for (const { channelId } of created) if (!channelIds.includes(channelId)) channelIds.push(channelId);
  const byName = new Map(created.map((channel) => [channel.name, channel]));
  return targets.map((target) =>
    target.isNew ? { ...target, channel: byName.get(target.channel.name) ?? target.channel } : target,
  );
}

function requireNew(requests: ChannelRequest[], byName: Map<string, Channel>): void {
  const taken = requests.find(({ name }) => byName.has(toCanonical(name)));
  if (taken) throw new ChannelAlreadyExists(taken.name);
}

/** Subscriptions started by earlier transactions of the same call, even if they have ended since. */
const listDone = (principals: Principal[], targets: Target[], positions: number[]): Subscribed[] =>
  listPairs(principals, targets, (subscription) =>
    subscription.intervals.some(([from]) => positions.includes(from)),
  );

const listAlready = (principals: Principal[], targets: Target[]): Subscribed[] =>
  listPairs(principals, targets, isSubscribed);

const listPairs = (
  principals: Principal[],
  targets: Target[],
  isMeant: (subscription: Subscription) => boolean,
): Subscribed[] =>
  principals.flatMap(({ user, subscriptions }) =>
    targets.flatMap((target) => {
      const subscription = subscriptions.get(target.channel.channelId);
      return subscription && isMeant(subscription) ? [{ user, target }] : [];
    }),
  );

function isAmong(all: Subscribed[]): (candidate: Subscribed) => boolean {
  const idOf = ({ user, target }: Subscribed): string => `${user.userId} ${target.channel.channelId}`;
  const ids = new Set(all.map(idOf));
  return (member) => ids.has(idOf(member));
}

const nameOf = ({ user, target }: Subscribed): [number, string] => [user.userId, target.channel.name];
