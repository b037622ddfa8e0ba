import { mayRead } from '#shared/domain/messages/access.ts';
import { isRoleUpdate } from '#shared/domain/users/events.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { channelsGained, type ShapedEntry, wants } from '#shared/events/shape.ts';
import type { StarTurn } from '#shared/events/shaping.ts';
import { listStarredIds, openMarks } from '#shared/store/reading/read-state.ts';
import { loadStars, type Star } from '#shared/store/reading/stars.ts';
import type { Table } from '#shared/table/table.ts';

/** What an entry changes about the messages that a user may read. */
interface AccessChange {
  /** Whether the change concerns a star; one that is readable as before is not mentioned. */
  concerns(star: Star): boolean;
}

/**
 * The starred messages that an entry hides from their owner or shows again; undefined for entries that change nothing
 * about it. Decided by the present state: if that has changed since the entry, a later entry follows that says so.
 */
export async function loadStarTurn(
  table: Table,
  entry: ShapedEntry,
  user: User,
  filter: QueueFilter,
): Promise<StarTurn | undefined> {
  if (!wants(filter, 'update_message_flags')) return undefined;
  const change = accessChangeOf(entry, user);
  if (!change) return undefined;
  const starredIds = await listStarredIds(table, user.userId, await openMarks(table, user.userId));
  if (starredIds.length === 0) return undefined;
  const stars = (await loadStars(table, user, starredIds)).filter((star) => change.concerns(star));
  const idsOf = (isReadable: boolean): number[] =>
    stars
      .filter((star) => star.mayRead === isReadable)
      .map(({ message }) => message.messageId)
      .sort((a, b) => a - b);
  return { hidden: idsOf(false), shown: idsOf(true) };
}

function accessChangeOf(entry: ShapedEntry, user: User): AccessChange | undefined {
  const subscribed = new Set([...channelsGained(entry, user.userId), ...channelsLeft(entry, user.userId)]);
  const changed = new Set(channelsWithOtherPrivacy(entry));
  const previous = { ...user, role: roleBefore(entry, user.userId) ?? user.role };
  const isRoleDecisive = isGuest(previous) !== isGuest(user);
  if (subscribed.size === 0 && changed.size === 0 && !isRoleDecisive) return undefined;
  return {
    concerns({ message, view, mayRead: isReadable, couldRead }) {
      if (message.kind === 'direct') return false;
      if (changed.has(message.channelId)) return true;
      if (subscribed.has(message.channelId))
        return !view || !mayRead(user, message, { ...view, subscription: undefined });
      return isRoleDecisive && couldRead(previous) !== isReadable;
    },
  };
}

/** The channels from which the entry unsubscribes the user. */
const channelsLeft = ({ events }: ShapedEntry, userId: number): number[] =>
  events
    .filter(({ audience }) => audience.kind === 'users' && audience.userIds.includes(userId))
    .flatMap(({ payload }) =>
      payload.type === 'subscription' && payload.op === 'remove' ? payload.subscriptions : [],
    )
    .map(({ stream_id }) => stream_id);

const channelsWithOtherPrivacy = ({ events }: ShapedEntry): number[] =>
  events.flatMap(({ payload }) =>
    payload.type === 'stream' && payload.op === 'update' && payload.property === 'invite_only'
      ? [payload.stream_id]
      : [],
  );

const roleBefore = ({ events }: ShapedEntry, userId: number) =>
  events
    .map(({ payload }) => payload)
    .filter(isRoleUpdate)
    .find(({ person }) => person.user_id === userId)?.previousRole;
