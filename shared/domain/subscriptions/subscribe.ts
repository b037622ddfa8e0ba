import type { Change } from '#shared/domain/change.ts';
import { channelAudience, ofArchived } from '#shared/domain/channels/audience.ts';
import { type Channel, toChannelRecord, unmoved } from '#shared/domain/channels/channel.ts';
import { type Defaults, defaultChannelsChange } from '#shared/domain/channels/defaults.ts';
import { assignmentWrite } from '#shared/domain/channels/folders.ts';
import { mayAddOthers, mayJoin } from '#shared/domain/channels/permissions.ts';
import { channelTurnWrite, type VisibilityRevision } from '#shared/domain/channels/visibility-revision.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Audience, EventPayload, LogEvent } from '#shared/events/catalogue.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Item, Write } from '#shared/table/table.ts';
import { type Arrival, divideJoinings, type Joining, type Target } from './batches.ts';
import { pickColor } from './colors.ts';
import { isSubscribed, type Subscription, subscribeAt } from './subscription.ts';
import { memberWrites, subscriptionWrite } from './writes.ts';

/** A user to subscribe, with all present and past subscriptions. */
export interface Principal {
  user: User;
  subscriptions: Map<number, Subscription>;
}

/** A target with the name that the caller used, because its real name may be hidden from the caller. */
export interface AskedTarget extends Target {
  asked: string;
}

/**
 * Splits targets by whether the caller may subscribe the principals to them.
 * @throws BadRequest when the caller may not subscribe others, or when an unauthorized channel is fatal
 */
export function authorizeTargets(
  caller: Principal,
  principals: Principal[],
  targets: AskedTarget[],
  { isFatal, organization }: { isFatal: boolean; organization: OrganizationGroups },
): { authorized: AskedTarget[]; unauthorized: AskedTarget[] } {
  const addsOthers = principals.some(({ user }) => user.userId !== caller.user.userId);
  const isAuthorized = (target: AskedTarget): boolean => {
    const view = {
      channel: target.channel,
      subscription: caller.subscriptions.get(target.channel.channelId),
    };
    if (target.isNew || target.isOurs || isSubscribed(view.subscription)) return true;
    return addsOthers ? mayAddOthers(caller.user, view, organization) : mayJoin(caller.user, view);
  };
  const unauthorized = targets.filter((target) => !isAuthorized(target));
  if (isFatal && unauthorized.length > 0) {
    const names = unauthorized.map(({ asked }) => asked).join(', ');
    throw new BadRequest(`Unable to access channel (${names}).`);
  }
  return { authorized: targets.filter(isAuthorized), unauthorized };
}

/** The subscriptions to create; existing ones are left out. */
export function listJoinings(callerId: number, principals: Principal[], targets: Target[]): Joining[] {
  return principals.flatMap(({ user, subscriptions }) => {
    const used = new Set([...subscriptions.values()].map(({ color }) => color));
    return targets.flatMap((target) => {
      const previous = subscriptions.get(target.channel.channelId);
      if (isSubscribed(previous)) return [];
      const chosen = user.userId === callerId ? target.color : undefined;
      const color = chosen ?? previous?.color ?? pickColor(used, target.channel.channelId);
      used.add(color);
      return [{ target, user, color, previous }];
    });
  });
}

/** State that new channels depend on; read it before the first change gets its log position. */
export interface Surroundings {
  defaults: Defaults;
  visibilityRevision: VisibilityRevision;
}

const nothingNew: Surroundings = {
  defaults: { channelIds: [], revision: 0 },
  visibilityRevision: { people: 0, channels: 0 },
};

/** The changes that subscribe users to channels, each small enough for one transaction. */
export function subscribeChanges(
  targets: Target[],
  joinings: Joining[],
  { defaults, visibilityRevision }: Surroundings = nothingNew,
): { change: Change; joinings: Joining[] }[] {
  let { channelIds, revision } = defaults;
  return divideJoinings(targets, joinings).map((arrivals) => {
    const added = arrivals
      .filter(({ target, isCreated }) => isCreated && target.isDefault)
      .map(({ channel }) => channel.channelId);
    const addition = defaultChannelsChange({ channelIds, revision }, { added });
    channelIds = [...channelIds, ...added];
    if (added.length > 0) revision++;
    return {
      joinings: arrivals.flatMap((arrival) => arrival.joinings),
      change: {
        writes: (position) => [
          ...arrivals.flatMap((arrival) => arrivalWrites(arrival, position)),
          ...folderWrites(arrivals.filter(({ isCreated }) => isCreated)),
          ...addition.writes,
          ...(arrivals.some(({ isCreated }) => isCreated) ? [channelTurnWrite(visibilityRevision)] : []),
        ],
        events: [...arrivalEvents(arrivals), ...addition.events],
      },
    };
  });
}

/** Creates a channel without subscribers. */
export function emptyChannelChange(target: Target, { defaults, visibilityRevision }: Surroundings): Change {
  const { channel } = target;
  const added = target.isDefault ? [channel.channelId] : [];
  const addition = defaultChannelsChange(defaults, { added });
  return {
    writes: [
      ...channelWrites(channel, 0),
      ...folderWrites([target]),
      ...addition.writes,
      channelTurnWrite(visibilityRevision),
    ],
    events: [creationEvent(channel, channelAudience(channel)), ...addition.events],
  };
}

/** These writes fail when a channel is no longer as the events describe it; the caller then decides again. */
function arrivalWrites({ channel, isCreated, joinings }: Arrival, position: number): Write[] {
  const { channelId, firstMessageId, defaultPushNotifications } = channel;
  const count = countWrite(channel, joinings.length, { firstMessageId });
  const subscriptions = joinings.map(({ user, color, previous }) =>
    subscriptionWrite(
      subscribeAt(previous, { userId: user.userId, channelId, defaultPushNotifications }, color, position),
      previous,
    ),
  );
  return [
    ...(isCreated ? channelWrites(channel, joinings.length) : [count]),
    ...subscriptions,
    ...memberWrites(channelId, idsOf(joinings), 'add'),
  ];
}

function channelWrites(channel: Channel, subscriberCount: number): Write[] {
  const { channelId, name } = channel;
  const condition = { exists: false };
  return [
    {
      kind: 'put',
      item: { ...channelKeys.channel(channelId), ...channel, subscriberCount, memberRevision: 1 },
      condition,
    },
    { kind: 'put', item: { ...channelKeys.name(toCanonical(name)), channelId }, condition },
  ];
}

/** All new channels of a call are in the same folder. */
function folderWrites(created: { channel: Channel }[]): Write[] {
  const folderId = created[0]?.channel.folderId ?? null;
  return folderId === null ? [] : [assignmentWrite(folderId, created.length)];
}

/**
 * Counts subscribers on condition that the channel's settings and subscribers have not changed since it was
 * read, and neither has `from`.
 */
export const countWrite = (channel: Channel, by: number, from?: Item): Write => ({
  kind: 'update',
  key: channelKeys.channel(channel.channelId),
  add: { subscriberCount: by, memberRevision: 1 },
  condition: { exists: true, ...unmoved(channel), ...(from && { equals: from }) },
});

const idsOf = (joinings: Joining[]): number[] => joinings.map(({ user }) => user.userId);

function arrivalEvents(arrivals: Arrival[]): LogEvent[] {
  const creations = arrivals
    .filter(({ isCreated }) => isCreated)
    .map(({ channel }) => creationEvent(channel, channelAudience(channel)));
  const peers = arrivals.map(({ channel, joinings }): LogEvent => {
    const userIds = idsOf(joinings);
    return {
      audience: { ...channelAudience(channel), exceptUserIds: userIds },
      ...ofArchived(channel),
      payload: { type: 'subscription', op: 'peer_add', stream_ids: [channel.channelId], user_ids: userIds },
    };
  });
  return [...creations, additionEvent(arrivals), ...peers];
}

/** The event does not count the first subscribers: other events announce them. */
export const creationEvent = (channel: Channel, audience: Audience): LogEvent => ({
  audience,
  ...ofArchived(channel),
  payload: { type: 'stream', op: 'create', streams: [toChannelRecord(channel)] },
});

function additionEvent(arrivals: Arrival[]): LogEvent {
  const joinings = arrivals.flatMap((arrival) => arrival.joinings);
  const created = arrivals.filter(({ isCreated }) => isCreated).map(({ channel }) => channel.channelId);
  const payload: EventPayload = {
    type: 'subscription',
    op: 'add',
    ...(created.length > 0 && { created }),
    channels: arrivals.map(({ channel, joinings: { length } }) => ({
      ...toChannelRecord(channel),
      subscriber_count: channel.subscriberCount + length,
    })),
    rows: joinings.map(({ user, target, color }) => [user.userId, target.channel.channelId, color]),
  };
  return { audience: { kind: 'users', userIds: [...new Set(idsOf(joinings))] }, payload };
}
