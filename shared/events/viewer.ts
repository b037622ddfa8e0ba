import { channelsOf, hasReceived } from '#shared/domain/messages/access.ts';
import type { Message, StoredMessage } from '#shared/domain/messages/message.ts';
import { type Subscription, wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import { type GroupSetting, isInGroup } from '#shared/domain/user-groups/group-setting.ts';
import { isAdministrator, isGuest, isOwner, type User } from '#shared/domain/users/user.ts';
import type { Audience, ChannelAudience, ChannelReach, LogEvent, ReadersAudience } from './catalogue.ts';

/** The recipient of shaped events, with their subscriptions to the entry's channels. */
export interface Viewer {
  user: User;
  subscriptions: Map<number, Subscription>;
}

/** Channels whose subscription by the viewer affects an entry. */
export function channelsThatDecide(entry: {
  position: number;
  events: LogEvent[];
  message?: StoredMessage;
}): number[] {
  const ids = entry.events.flatMap(({ audience }) =>
    'channelIds' in audience ? audience.channelIds : 'channelId' in audience ? [audience.channelId] : [],
  );
  const { message, position } = entry;
  if (message) ids.push(...channelsOf({ ...message, messageId: position }));
  return [...new Set(ids)];
}

/** Settings whose groups decide who gets the events. */
export const groupsThatDecide = (events: LogEvent[]): GroupSetting[] =>
  events
    .flatMap(({ audience }): (ChannelReach | undefined)[] => {
      if (audience.kind !== 'channel' && audience.kind !== 'users') return [];
      return [audience.kind === 'channel' ? audience : undefined, audience.onlyIf, audience.unless];
    })
    .flatMap((reach) => [...(reach?.knownToAllOf ?? []), ...(reach?.knownToMembersOf ?? [])]);

/** Whether the viewer, with the given role and groups, is in an audience as of a position. */
export function isInAudience(audience: Audience, viewer: Viewer, position: number): boolean {
  const { user } = viewer;
  switch (audience.kind) {
    case 'everyone':
      return true;
    case 'members':
      return !isGuest(user);
    case 'administrators':
      return isAdministrator(user) || (audience.orUserIds?.includes(user.userId) ?? false);
    case 'owners':
      return isOwner(user);
    case 'users':
      return audience.userIds.includes(user.userId) && isMeant(audience, user);
    case 'subscribers':
      return wasSubscribedAt(viewer.subscriptions.get(audience.channelId), position);
    case 'readers':
      return hasMessage(audience, viewer, position);
    case 'holders':
      return audience.channelIds.some((channelId) => viewer.subscriptions.has(channelId));
    case 'channel':
      if (audience.exceptUserIds?.includes(user.userId)) return false;
      return mayKnowChannel(audience, viewer, position);
  }
}

function mayKnowChannel(audience: ChannelAudience, viewer: Viewer, position: number): boolean {
  const subscription = viewer.subscriptions.get(audience.channelId);
  if (wasSubscribedAt(subscription, position) || beganAt(subscription, position)) return !audience.unless;
  return isWithinReach(audience, viewer.user) && isMeant(audience, viewer.user);
}

const isMeant = ({ onlyIf, unless }: Pick<ChannelAudience, 'onlyIf' | 'unless'>, user: User): boolean =>
  (!onlyIf || isWithinReach(onlyIf, user)) && !(unless && isWithinReach(unless, user));

/** Whether the user may know of a channel without being subscribed. */
export function isWithinReach(reach: ChannelReach, user: User): boolean {
  if (reach.isWebPublic || isAdministrator(user)) return true;
  if (reach.isPublic && !isGuest(user)) return true;
  const { knownToMembersOf = [], knownToAllOf = [] } = reach;
  const groups = isGuest(user) ? knownToAllOf : [...knownToAllOf, ...knownToMembersOf];
  return groups.some((group) => isInGroup(user, group));
}

function hasMessage(audience: ReadersAudience, { subscriptions }: Viewer, position: number): boolean {
  const subscription = subscriptions.get(audience.channelId);
  const hasReceivedIt = wasSubscribedAt(subscription, audience.messageId);
  if (wasSubscribedAt(subscription, position)) return audience.isHistoryPublic || hasReceivedIt;
  return hasReceivedIt && !audience.isPrivate;
}

const beganAt = (subscription: Subscription | undefined, position: number): boolean =>
  subscription?.intervals.some(([from]) => from === position) ?? false;

/** Whether a queue of the viewer gets a message: as a recipient, or as a reader of all public channels. */
export function getsMessage(viewer: Viewer, message: Message, allPublicChannels: boolean): boolean {
  const { onlyChannels } = viewer.user;
  if (onlyChannels && (message.kind === 'direct' || !onlyChannels.includes(message.channelId))) return false;
  if (hasReceived(viewer.user, message, viewer.subscriptions)) return true;
  return allPublicChannels && message.kind === 'channel' && message.isPublic && !isGuest(viewer.user);
}
