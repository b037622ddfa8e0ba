import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { isRoleUpdate } from '#shared/domain/users/events.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload } from './catalogue.ts';
import type { ShapedEntry } from './shape.ts';
import { isSubscriptionAdd } from './shapers/subscriptions.ts';

/** A direct-message conversation, and where it began as far as that decides anything. */
export interface Partners {
  userIds: number[];
  beganAt: number;
}

/** With whom somebody shares what now, and what happened since the moments that are asked about, oldest first. */
export interface Acquaintance {
  userId: number;
  subscriptions: Subscription[];
  /** The subscribers of those channels. */
  members: Map<number, Set<number>>;
  conversations: Partners[];
  changes: ShapedEntry[];
}

/** Whether an entry may change whom somebody sees: others come to share something with them, or do not any more. */
export const turnsSight = (entry: ShapedEntry, userId: number): boolean =>
  participantsOf(entry).includes(userId) ||
  entry.events.some(
    ({ payload }) =>
      isSubscriptionAdd(payload) ||
      isLeaving(payload) ||
      isSightSetting(payload) ||
      (isRoleUpdate(payload) && payload.person.user_id === userId),
  );

/** Who shares a channel or a conversation with somebody after everything up to a position, themselves included. */
export function acquaintedAt(acquaintance: Acquaintance, position: number): Set<number> {
  const { userId, subscriptions, conversations } = acquaintance;
  const members = subscriptions
    .filter((subscription) => isInAfter(subscription, position))
    .flatMap(({ channelId }) => [...membersAt(acquaintance, channelId, position)]);
  const partners = conversations
    .filter(({ beganAt }) => beganAt <= position)
    .flatMap(({ userIds }) => userIds);
  return new Set([userId, ...members, ...partners]);
}

const isInAfter = ({ intervals }: Subscription, position: number): boolean =>
  intervals.some(([from, to]) => from <= position && (to === null || to > position));

const membersAt = ({ members, changes }: Acquaintance, channelId: number, position: number): Set<number> =>
  subscribersBefore(
    members.get(channelId) ?? [],
    channelId,
    changes.filter((entry) => entry.position > position),
  );

/** The subscribers of a channel with what happened until they were read undone, newest first. */
export function subscribersBefore(
  now: Iterable<number>,
  channelId: number,
  changes: ShapedEntry[],
): Set<number> {
  const then = new Set(now);
  for (const { events } of changes.toReversed())
    for (const { payload } of events) {
      if (isSubscriptionAdd(payload))
        for (const [userId, id] of payload.rows) if (id === channelId) then.delete(userId);
      if (isLeaving(payload) && (payload.stream_ids as number[]).includes(channelId))
        for (const userId of payload.user_ids as number[]) then.add(userId);
    }
  return then;
}

const isLeaving = ({ type, op }: EventPayload): boolean => type === 'subscription' && op === 'peer_remove';

/** Everybody in the conversation of an entry's direct message. */
const participantsOf = ({ message }: Pick<ShapedEntry, 'message'>): number[] =>
  message?.kind === 'direct' ? message.recipients.map(({ id }) => id) : [];

/** The keys of somebody's conversations in which something was written. */
export const conversationsIn = (entries: ShapedEntry[], userId: number): Set<string> =>
  new Set(
    entries
      .map(participantsOf)
      .filter((ids) => ids.includes(userId))
      .map(conversationKey),
  );

const isSightSetting = ({ type, data }: EventPayload): boolean =>
  type === 'realm' && typeof data === 'object' && data !== null && 'can_access_all_users_group' in data;

/** The user as they were before an entry that may give them another role. */
export function beforeRole(user: User, { events }: ShapedEntry): User {
  const update = events.map(({ payload }) => payload).find(isRoleUpdate);
  return update?.person.user_id === user.userId ? { ...user, role: update.previousRole } : user;
}
