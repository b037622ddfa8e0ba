import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { isVisibilitySetting } from '#shared/domain/organization/organization-change.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { isRoleUpdate } from '#shared/domain/users/events.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload, PayloadOf } from './catalogue.ts';
import type { ShapedEntry } from './shape.ts';
import { isSubscriptionAdd } from './shapers/subscriptions.ts';

/** A direct conversation, and its first position as far as it matters. */
export interface Partners {
  userIds: number[];
  beganAt: number;
}

/**
 * The users who share channels and conversations with a user now, and the events since the positions in question,
 * oldest first.
 */
export interface VisibilityHistory {
  userId: number;
  subscriptions: Subscription[];
  /** The subscribers of those channels. */
  members: Map<number, Set<number>>;
  conversations: Partners[];
  changes: ShapedEntry[];
}

/**
 * Whether an entry may change which users are visible to a user, because they start or stop to share a
 * channel or conversation.
 */
export const changesVisibility = (entry: ShapedEntry, userId: number): boolean =>
  participantsOf(entry).includes(userId) ||
  entry.events.some(
    ({ payload }) =>
      isSubscriptionAdd(payload) ||
      isLeaving(payload) ||
      isVisibilitySetting(payload) ||
      (isRoleUpdate(payload) && payload.person.user_id === userId),
  );

/** The users who shared a channel or a conversation with a user after a position, including that user. */
export function acquaintedAt(visibilityHistory: VisibilityHistory, position: number): Set<number> {
  const { userId, subscriptions, conversations } = visibilityHistory;
  const members = subscriptions
    .filter((subscription) => isInAfter(subscription, position))
    .flatMap(({ channelId }) => [...membersAt(visibilityHistory, channelId, position)]);
  const partners = conversations
    .filter(({ beganAt }) => beganAt <= position)
    .flatMap(({ userIds }) => userIds);
  return new Set([userId, ...members, ...partners]);
}

const isInAfter = ({ intervals }: Subscription, position: number): boolean =>
  intervals.some(([from, to]) => from <= position && (to === null || to > position));

const membersAt = (
  { members, changes }: VisibilityHistory,
  channelId: number,
  position: number,
): Set<number> =>
  subscribersBefore(
    members.get(channelId) ?? [],
    channelId,
    changes.filter((entry) => entry.position > position),
  );

/** A channel's subscribers at an earlier position: later changes are undone, newest first. */
export function subscribersBefore(
  now: Iterable<number>,
  channelId: number,
  changes: ShapedEntry[],
): Set<number> {
  const then = new Set(now);
  for (const { payload } of changes.toReversed().flatMap(({ events }) => events)) {
    for (const userId of subscribedBy(payload, channelId)) then.delete(userId);
    for (const userId of unsubscribedBy(payload, channelId)) then.add(userId);
  }
  return then;
}

const subscribedBy = (payload: EventPayload, channelId: number): number[] =>
  isSubscriptionAdd(payload)
    ? payload.rows.filter(([, id]) => id === channelId).map(([userId]) => userId)
    : [];

const unsubscribedBy = (payload: EventPayload, channelId: number): number[] =>
  isLeaving(payload) && payload.stream_ids.includes(channelId) ? payload.user_ids : [];

const isLeaving = (payload: EventPayload): payload is PayloadOf<'subscription/peer_remove'> =>
  payload.type === 'subscription' && payload.op === 'peer_remove';

/** The participants of an entry's direct message. */
const participantsOf = ({ message }: Pick<ShapedEntry, 'message'>): number[] =>
  message?.kind === 'direct' ? message.recipients.map(({ id }) => id) : [];

/** The keys of a user's conversations with new messages. */
export const conversationsIn = (entries: ShapedEntry[], userId: number): Set<string> =>
  new Set(
    entries
      .map(participantsOf)
      .filter((ids) => ids.includes(userId))
      .map(conversationKey),
  );

/** The user before an entry that may change their role. */
export function beforeRole(user: User, { events }: ShapedEntry): User {
  const update = events.map(({ payload }) => payload).find(isRoleUpdate);
  return update?.person.user_id === user.userId ? { ...user, role: update.previousRole } : user;
}
