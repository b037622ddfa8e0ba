import type { User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { ofArchived } from './audience.ts';
import { type Channel, toChannelRecord } from './channel.ts';
import { mayKnow } from './permissions.ts';

/** A user as they were and as they are, with their belonging to the groups that the channels name learned. */
export interface Turn {
  before: User;
  after: User;
}

/** A channel with the ids of its subscribers. */
export interface Peopled {
  channel: Channel;
  subscriberIds: number[];
}

/** Whose settings may show a channel to those who are not in it. */
export const settingsThatShow = ({ groups }: Channel) => [
  groups.can_add_subscribers_group,
  groups.can_administer_channel_group,
  groups.can_subscribe_group,
];

/**
 * What users hear whose role or groups change: of channels that they may know of from now on, with their subscribers, and
 * of channels that they may know of no more.
 */
export function knowledgeEvents(turns: Turn[], channels: Peopled[]): LogEvent[] {
  return channels.flatMap(({ channel, subscriberIds }) => {
    const subscribers = new Set(subscriberIds);
    const knows = (user: User): boolean => mayKnow(user, { channel, subscription: undefined });
    const others = turns.filter(({ after }) => !subscribers.has(after.userId));
    const gained = others.filter(({ before, after }) => knows(after) && !knows(before));
    const lost = others.filter(({ before, after }) => knows(before) && !knows(after));
    return [
      ...(gained.length > 0 ? arrival(idsOf(gained), { channel, subscriberIds }) : []),
      ...(lost.length > 0 ? [loss(idsOf(lost), channel)] : []),
    ];
  });
}

const idsOf = (turns: Turn[]): number[] => turns.map(({ after }) => after.userId);

function arrival(userIds: number[], { channel, subscriberIds }: Peopled): LogEvent[] {
  const audience = { kind: 'users' as const, userIds };
  const record = { ...toChannelRecord(channel), subscriber_count: 0 };
  const creation = {
    audience,
    ...ofArchived(channel),
    payload: { type: 'stream', op: 'create', streams: [record] },
  };
  if (subscriberIds.length === 0) return [creation];
  const peers = {
    type: 'subscription',
    op: 'peer_add',
    stream_ids: [channel.channelId],
    user_ids: subscriberIds,
  };
  return [creation, { audience, ...ofArchived(channel), payload: peers }];
}

function loss(userIds: number[], channel: Channel): LogEvent {
  const { channelId } = channel;
  const payload = {
    type: 'stream',
    op: 'delete',
    streams: [{ stream_id: channelId }],
    stream_ids: [channelId],
  };
  return { audience: { kind: 'users', userIds }, ...ofArchived(channel), payload };
}
