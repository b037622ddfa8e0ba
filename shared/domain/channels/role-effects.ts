import type { ChannelView } from '#shared/domain/messages/access.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import type { EventPayload, LogEvent } from '#shared/events/catalogue.ts';
import type { ChannelsRevealed } from '#shared/events/shapers/revealed-channels.ts';
import { ofArchived } from './audience.ts';
import { mayKnow } from './permissions.ts';

/**
 * What a user with another role has to be told of channels: those that they may know of now, those that they may not
 * any more, and the default channels, which guests do not hear of. What decides must have been learned of both.
 */
export function channelEffects(
  before: User,
  after: User,
  views: ChannelView[],
  defaultChannelIds: number[],
): LogEvent[] {
  const gained = views.filter((view) => !mayKnow(before, view) && mayKnow(after, view));
  const lost = views.filter((view) => mayKnow(before, view) && !mayKnow(after, view));
  const event = (payload: EventPayload): LogEvent => ({
    audience: { kind: 'users', userIds: [after.userId] },
    payload,
  });
  const deletions = [...Map.groupBy(lost, ({ channel }) => channel.isArchived).values()].map((group) => ({
    ...event(deletionPayload(group.map(({ channel }) => channel.channelId))),
    ...group.slice(0, 1).map(({ channel }) => ofArchived(channel))[0],
  }));
  return [
    ...deletions,
    ...(gained.length > 0 ? [event(revelationPayload(gained))] : []),
    ...(isGuest(before) === isGuest(after)
      ? []
      : [event(defaultsPayload(isGuest(after) ? [] : defaultChannelIds))]),
  ];
}

const deletionPayload = (channelIds: number[]) => ({
  type: 'stream',
  op: 'delete',
  streams: channelIds.map((id) => ({ stream_id: id })),
  stream_ids: channelIds,
});

const revelationPayload = (views: ChannelView[]): ChannelsRevealed => ({
  type: 'stream',
  op: 'create',
  revealed: views.map(({ channel }) => [channel.channelId, channel.subscriberCount]),
});

const defaultsPayload = (channelIds: number[]) => ({
  type: 'default_streams',
  default_streams: [...channelIds].sort((a, b) => a - b),
});
