import type { ChannelAudience } from '#shared/events/catalogue.ts';
import type { Channel } from './channel.ts';

/** Those who may know of the channel when the event happens, as `mayKnow` has it. */
export function channelAudience(channel: Channel): ChannelAudience {
  const { channelId, isPrivate, isWebPublic, groups } = channel;
  return {
    kind: 'channel',
    channelId,
    isPublic: !isPrivate,
    isWebPublic,
    ...(isPrivate && {
      knownToMembersOf: [groups.can_add_subscribers_group, groups.can_administer_channel_group],
    }),
    knownToAllOf: [groups.can_subscribe_group],
  };
}
