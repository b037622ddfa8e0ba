import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { readSettings, subscribeParameters } from '#shared/api/subscribe-parameters.ts';
import type { Job } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import {
  checkChannelName,
  checkGroupSettings,
  checkNewChannelSettings,
  createChannel,
  type NewChannelSettings,
  requireMayCreate,
} from '#shared/domain/channels/create.ts';
import { groupSettingsOf, mayCreate, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import type { Joining, Target } from '#shared/domain/subscriptions/batches.ts';
import { requireFeasible } from '#shared/domain/subscriptions/limits.ts';
import {
  type AskedTarget,
  authorizeTargets,
  listJoinings,
  type Principal,
  subscribeChanges,
} from '#shared/domain/subscriptions/subscribe.ts';
import { type Account, isGuest } from '#shared/domain/users/user.ts';
import { commit, withFreshState } from '#shared/log/commit.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsByName } from '#shared/store/channels.ts';
import { learnMemberships, listNamed } from '#shared/store/groups.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { loadPrincipal, resolvePrincipals } from '#shared/store/principals.ts';
import { keys } from '#shared/table/keys.ts';

/** So many people are told by the notification bot that someone subscribed them; more are not. */
const MAX_NOTIFIED = 100;

/** Subscribes the caller or others to channels by name, creating those that do not exist. */
export const subscribe = endpoint({
  route: 'POST /users/me/subscriptions',
  summary: 'Subscribe to channels, creating those that do not exist',
  allow: 'user',
  params: subscribeParameters,
  result: z.object({
    subscribed: z.record(z.string(), z.array(z.string())),
    already_subscribed: z.record(z.string(), z.array(z.string())),
    unauthorized: z.optional(z.array(z.string())),
    new_subscription_messages_sent: z.optional(z.boolean()),
  }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['stream/create', 'subscription/add', 'subscription/peer_add', 'default_streams', 'message'],
  uses: { table: 'write', bus: true },
  timeoutSeconds: 29,
  memoryMegabytes: 512,
  async handle(params, { services, caller }) {
    requireFeasible(params.subscriptions.length, params.principals);
    const requests = readRequests(params.subscriptions);
    const settings = readSettings(params);
    const users = await resolvePrincipals(services.table, caller, params.principals);
    if (isGuest(caller) && users.some(({ userId }) => userId !== caller.userId))
      throw new UnauthorizedPrincipal('member');
    const done: Joining[] = [];
    const attempt = { services, caller, requests, settings, users, done };
    const outcome = await withFreshState(services, () => subscribeAll(attempt, params));
    return {
      subscribed: namesByUser(done.map(({ user, target }) => [user.userId, target.channel.name])),
      already_subscribed: namesByUser(outcome.already),
      ...(!params.authorization_errors_fatal && { unauthorized: outcome.unauthorized }),
      ...(params.send_new_subscription_messages && {
        new_subscription_messages_sent: countUsers(done) <= MAX_NOTIFIED,
      }),
    };
  },
});

export const handler = lambda(subscribe, awsServices);

interface Request {
  name: string;
  description: string;
  color: string | undefined;
}

interface Attempt {
  services: Services;
  caller: Account;
  requests: Request[];
  settings: NewChannelSettings;
  users: Principal['user'][];
  /** What is committed; grows when several transactions are needed. */
  done: Joining[];
}

interface Options {
  authorization_errors_fatal: boolean;
  announce: boolean;
  send_new_subscription_messages: boolean;
}

async function subscribeAll(attempt: Attempt, options: Options) {
  const { services, caller, users, done } = attempt;
  const { table } = services;
  const [principals, self, organization] = await Promise.all([
    mapConcurrently(users, (user) => loadPrincipal(table, user)),
    loadPrincipal(table, caller),
    getOrganization(table),
  ]);
  const isFatal = options.authorization_errors_fatal;
  await learnMemberships(table, self.user, Object.values(organization.groups));
  const { targets, refused } = await loadTargets(attempt, self, {
    isFatal,
    organization: organization.groups,
  });
  const named = targets.flatMap(({ channel }) => groupSettingsOf(channel));
  await mapConcurrently([self, ...principals], ({ user }) => learnMemberships(table, user, named));
  const { authorized, unauthorized } = authorizeTargets(self, principals, targets, {
    isFatal,
    organization: organization.groups,
  });
  const joinings = listJoinings(caller.userId, principals, authorized);
  const batches = subscribeChanges(authorized, joinings, {
    nowSeconds: toSeconds(services.clock.nowMs()),
    defaultChannelIds: [...(organization.defaultChannels ?? [])],
  });
  const already = listAlready(principals, authorized, done);
  for (const [index, batch] of batches.entries()) {
    const isLast = index === batches.length - 1;
    const jobs = isLast ? followUps(caller, [...done, ...batch.joinings], options) : [];
    await commit(services, { ...batch.change, jobs });
    done.push(...batch.joinings);
  }
  return { already, unauthorized: [...refused, ...unauthorized.map(({ asked }) => asked)] };
}

/**
 * The channels asked for, new ones included. Callers who may not create channels are refused those that do not exist;
 * private channels that they may not know of are refused with the same words.
 */
async function loadTargets(
  { services, caller, requests, settings }: Attempt,
  self: Principal,
  { isFatal, organization }: { isFatal: boolean; organization: OrganizationGroups },
): Promise<{ targets: AskedTarget[]; refused: string[] }> {
  const existing = await listChannelsByName(
    services.table,
    requests.map(({ name }) => name),
  );
  await learnMemberships(services.table, caller, existing.flatMap(groupSettingsOf));
  const byName = new Map(existing.map((channel) => [toCanonical(channel.name), channel]));
  const isOpen = ({ name }: Request): boolean => {
    const channel = byName.get(toCanonical(name));
    if (!channel?.isPrivate) return channel !== undefined;
    return mayKnow(caller, { channel, subscription: self.subscriptions.get(channel.channelId) });
  };
  const isRefused = (request: Request): boolean =>
    !mayCreate(caller, settings.isPrivate, organization) && !isOpen(request);
  const refused = requests.filter(isRefused).map(({ name }) => name);
  if (refused.length > 0 && isFatal) requireMayCreate(caller, settings.isPrivate, organization);
  const allowed = requests.filter((request) => !isRefused(request));
  if (allowed.some(({ name }) => !byName.has(toCanonical(name))))
    await checkSettings(services, caller, settings, organization);
  const targets: AskedTarget[] = [];
  for (const request of allowed) {
    const found = byName.get(toCanonical(request.name));
    const channel = found ?? (await newChannel(services, caller, request, settings));
    const isNew = !found;
    const { name: asked, color } = request;
    targets.push({ channel, isNew, isDefault: isNew && settings.isDefault, color, asked });
  }
  return { targets, refused };
}

async function checkSettings(
  services: Services,
  caller: Account,
  settings: NewChannelSettings,
  organization: OrganizationGroups,
): Promise<void> {
  checkNewChannelSettings(caller, settings, organization);
  checkGroupSettings(settings, await listNamed(services.table, Object.values(settings.groups)));
}

async function newChannel(
  services: Services,
  caller: Account,
  { name, description }: Request,
  settings: NewChannelSettings,
): Promise<Channel> {
  const channelId = await services.table.increment(keys.counter('channel'), 'id');
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
      .filter(({ channel }) => subscriptions.get(channel.channelId)?.intervals.at(-1)?.[1] === null)
      .filter(({ channel }) => !isDone(user.userId, channel.channelId))
      .map(({ channel }): [number, string] => [user.userId, channel.name]),
  );
}

/** What the notification bot has to say afterwards: to people who were subscribed, and about new channels. */
function followUps(caller: Account, done: Joining[], options: Options): Job[] {
  const created = done.filter(({ target }) => target.isNew).map(({ target }) => target.channel.channelId);
  const channelIds = [...new Set(created)];
  const announcements: Job = {
    type: 'announce-channels',
    payload: { actorId: caller.userId, channelIds },
    steps: options.announce ? [...channelIds.keys(), channelIds.length] : [...channelIds.keys()],
  };
  const told = Map.groupBy(
    done.filter(({ user, target }) => !target.isNew && user.userId !== caller.userId && !user.isBot),
    ({ user }) => user.userId,
  );
  const notices: Job = {
    type: 'notify-subscribed',
    payload: {
      actorId: caller.userId,
      rows: [...told].map(([userId, group]) => [userId, group.map(({ target }) => target.channel.channelId)]),
    },
    steps: [...told.keys()],
  };
  const isTold = options.send_new_subscription_messages && countUsers(done) <= MAX_NOTIFIED;
  return [...(channelIds.length > 0 ? [announcements] : []), ...(isTold && told.size > 0 ? [notices] : [])];
}

const countUsers = (joinings: Joining[]): number => new Set(joinings.map(({ user }) => user.userId)).size;

const namesByUser = (rows: [userId: number, name: string][]): Record<string, string[]> => {
  const groups = Map.groupBy(rows, ([userId]) => String(userId));
  return Object.fromEntries([...groups].map(([userId, group]) => [userId, group.map(([, name]) => name)]));
};

/** Names once each, without regard to letter case. */
function readRequests(
  given: { name: string; description?: string | undefined; color?: string | undefined }[],
): Request[] {
  const requests = given.map(({ name, description = '', color }, index): Request => {
    if (color !== undefined && !/^#[0-9a-f]{6}$/i.test(color))
      throw new BadRequest(`subscriptions[${index}]["color"] is not a valid hex color code`);
    return { name: checkChannelName(name), description, color: color?.toLowerCase() };
  });
  return [...new Map(requests.map((request) => [toCanonical(request.name), request])).values()];
}
