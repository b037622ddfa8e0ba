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
  usersNamedBy,
} from '#shared/domain/channels/create.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import {
  authorizeTargets,
  type Joining,
  listJoinings,
  type Principal,
  subscribeChanges,
  type Target,
} from '#shared/domain/subscriptions/subscribe.ts';
import { type Account, isGuest } from '#shared/domain/users/user.ts';
import { commit, withFreshState } from '#shared/log/commit.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsByName } from '#shared/store/channels.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { loadPrincipal, resolvePrincipals } from '#shared/store/principals.ts';
import { listUsersById } from '#shared/store/users.ts';
import { keys } from '#shared/table/keys.ts';

/** More would not end within one request. */
const MAX_CHANNELS = 500;
const MAX_PAIRS = 10_000;
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
    const requests = readRequests(params.subscriptions);
    const settings = readSettings(params);
    const users = await resolvePrincipals(services.table, caller, params.principals);
    if (users.length * requests.length > MAX_PAIRS)
      throw new BadRequest('Too many subscriptions in one request.');
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
  const targets = await loadTargets(attempt);
  const { authorized, unauthorized } = authorizeTargets(
    self,
    principals,
    targets,
    options.authorization_errors_fatal,
  );
  const joinings = listJoinings(caller.userId, principals, authorized);
  const batches = subscribeChanges(authorized, joinings, {
    nowSeconds: toSeconds(services.clock.nowMs()),
    defaultChannelIds: [...(organization.defaultChannels ?? [])],
  });
  const already = listAlready(principals, authorized, done);
  for (const [index, batch] of batches.entries()) {
    const isLast = index === batches.length - 1;
    const jobs = isLast ? followUps(caller, [...done, ...batch.joinings], authorized, options) : [];
    await commit(services, { ...batch.change, jobs });
    done.push(...batch.joinings);
  }
  return { already, unauthorized: unauthorized.map(({ channel }) => channel.name) };
}

async function loadTargets({ services, caller, requests, settings }: Attempt): Promise<Target[]> {
  const existing = await listChannelsByName(
    services.table,
    requests.map(({ name }) => name),
  );
  const byName = new Map(existing.map((channel) => [toCanonical(channel.name), channel]));
  const isAnyNew = requests.some(({ name }) => !byName.has(toCanonical(name)));
  if (isAnyNew) await checkSettings(services, caller, settings);
  const targets: Target[] = [];
  for (const request of requests) {
    const found = byName.get(toCanonical(request.name));
    const channel = found ?? (await newChannel(services, caller, request, settings));
    targets.push({ channel, isNew: !found, isDefault: !found && settings.isDefault, color: request.color });
  }
  return targets;
}

async function checkSettings(
  services: Services,
  caller: Account,
  settings: NewChannelSettings,
): Promise<void> {
  checkNewChannelSettings(caller, settings);
  const named = await listUsersById(services.table, usersNamedBy(settings));
  checkGroupSettings(settings, new Set(named.map(({ userId }) => userId)));
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
function followUps(caller: Account, done: Joining[], targets: Target[], options: Options): Job[] {
  const created = targets.filter(({ isNew }) => isNew).map(({ channel }) => channel.channelId);
  const announcements: Job = {
    type: 'announce-channels',
    payload: { actorId: caller.userId, channelIds: created },
    steps: options.announce ? [...created.keys(), created.length] : [...created.keys()],
  };
  const told = done.filter(
    ({ user, target }) => !target.isNew && user.userId !== caller.userId && !user.isBot,
  );
  const notices: Job = {
    type: 'notify-subscribed',
    payload: {
      actorId: caller.userId,
      rows: told.map(({ user, target }) => [user.userId, target.channel.name]),
    },
    steps: [...new Set(told.map(({ user }) => user.userId))],
  };
  const isTold = options.send_new_subscription_messages && countUsers(done) <= MAX_NOTIFIED;
  return [...(created.length > 0 ? [announcements] : []), ...(isTold && told.length > 0 ? [notices] : [])];
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
  if (given.length > MAX_CHANNELS)
    throw new BadRequest(`Too many channels in one request (maximum ${MAX_CHANNELS}).`);
  const requests = given.map(({ name, description = '', color }, index): Request => {
    if (color !== undefined && !/^#[0-9a-f]{6}$/i.test(color))
      throw new BadRequest(`subscriptions[${index}]["color"] is not a valid hex color code`);
    return { name: checkChannelName(name), description, color: color?.toLowerCase() };
  });
  return [...new Map(requests.map((request) => [toCanonical(request.name), request])).values()];
}
