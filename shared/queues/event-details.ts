import type { User } from '#shared/domain/users/user.ts';
import { peopleBefore } from '#shared/events/people-then.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import {
  changesRoleOf,
  channelsGained,
  channelsTurned,
  type ShapedEntry,
  wants,
} from '#shared/events/shape.ts';
import { isArchivalUpdate } from '#shared/events/shapers/channels.ts';
import { changesEmoji, needsAllEmoji } from '#shared/events/shapers/emoji.ts';
import { needsOwnSettings } from '#shared/events/shapers/subscriptions.ts';
import { tellOfTyping } from '#shared/events/shapers/typing.ts';
import type { RevealedChannel, Shaping } from '#shared/events/shaping.ts';
import { isInAudience, type Viewer } from '#shared/events/viewer.ts';
import { subscribersBefore } from '#shared/events/visibility-history.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels/channels.ts';
import { listSubscriberIds } from '#shared/store/channels/subscriptions.ts';
import { listCustomEmoji } from '#shared/store/emoji/custom-emoji.ts';
import { getUserSettings } from '#shared/store/users/user-settings.ts';
import { listUsers } from '#shared/store/users/users.ts';
import type { Table } from '#shared/table/table.ts';
import type { ObservedQueue } from './queue.ts';
import { listSince } from './since.ts';
import { loadUpdatedFlags } from './updated-flags.ts';

/**
 * The data that events need besides their entry: subscribers of channels that the owner gains, revealed
 * channels, all custom emoji, all users. Reads nothing for entries without such events.
 */
export async function loadDetails(
  { table }: Services,
  entry: ShapedEntry,
  { queueId, userId, filter }: ObservedQueue,
): Promise<Pick<Shaping, 'subscribersOf' | 'emoji' | 'people' | 'revealed'>> {
  const { revealed } = channelsTurned(entry, userId);
  const isEmojiTold = changesEmoji(entry) && wants(filter, 'realm_emoji') && needsAllEmoji(filter);
  const [subscribersOf, channels, emoji, people] = await Promise.all([
    loadSubscribers(table, channelsGained(entry, userId)),
    revealed.length > 0 ? loadRevealed(table, queueId, entry.position, revealed) : undefined,
    isEmojiTold ? listCustomEmoji(table) : undefined,
    changesRoleOf(entry, userId) ? loadPeople(table, queueId, entry.position) : undefined,
  ]);
  return {
    subscribersOf,
    ...(channels && { revealed: channels }),
    ...(emoji && { emoji }),
    ...(people && { people }),
  };
}

/** The viewer's data that events need: settings, and flags of a changed message. */
export async function loadOwnDetails(
  { table }: Services,
  entry: ShapedEntry,
  viewer: Viewer,
  filter: QueueFilter,
): Promise<Pick<Shaping, 'settings' | 'updatedFlags'>> {
  const { user } = viewer;
  const received = entry.events.filter(
    ({ audience, payload }) => wants(filter, payload.type) && isInAudience(audience, viewer, entry.position),
  );
  const isRecordSent =
    channelsGained(entry, user.userId).length > 0 ||
    entry.events.some(
      ({ payload }) => isArchivalUpdate(payload) || 'revealed' in payload || 'appeared' in payload,
    );
  const needsSettings = (isRecordSent && needsOwnSettings(filter)) || tellOfTyping(received);
  const [settings, flags] = await Promise.all([
    needsSettings ? getUserSettings(table, user) : null,
    loadUpdatedFlags(table, user, received),
  ]);
  return { settings, ...flags };
}

async function loadSubscribers(table: Table, channelIds: number[]): Promise<Map<number, number[]>> {
  const loaded = await mapConcurrently(
    channelIds,
    async (channelId): Promise<[number, number[]]> => [channelId, await listSubscriberIds(table, channelId)],
  );
  return new Map(loaded);
}

async function loadPeople(table: Table, queueId: string, position: number): Promise<User[]> {
  const people = await listUsers(table);
  return peopleBefore(people, await listSince(table, queueId, position));
}

/**
 * The channels with their subscribers as of an entry. Equal at every call, because a client may have received
 * a part of the events.
 */
async function loadRevealed(
  table: Table,
  queueId: string,
  position: number,
  channelIds: number[],
): Promise<Map<number, RevealedChannel>> {
  const channels = await listChannelsById(table, channelIds);
  const subscribers = await mapConcurrently(channels, ({ channelId }) => listSubscriberIds(table, channelId));
  const since = await listSince(table, queueId, position);
  return new Map(
    channels.map((channel, n) => {
      const then = subscribersBefore(subscribers[n] ?? [], channel.channelId, since);
      return [channel.channelId, { channel, subscriberIds: [...then].sort((a, b) => a - b) }];
    }),
  );
}
