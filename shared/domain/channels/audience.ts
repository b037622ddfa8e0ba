import type { ChannelAudience, ChannelReach } from '#shared/events/catalogue.ts';
import type { Channel } from './channel.ts';

/** The users who may know of the channel at the time of the event, by the rule of `mayKnow`. */
export const channelAudience = (channel: Channel): ChannelAudience => ({
  kind: 'channel',
  channelId: channel.channelId,
  ...reachOf(channel),
});

/** Who may know of the channel besides its subscribers and administrators. */
export const reachOf = ({ isPrivate, isWebPublic, groups }: Channel): ChannelReach => ({
  isPublic: !isPrivate,
  isWebPublic,
  ...(isPrivate && {
    knownToMembersOf: [groups.can_add_subscribers_group, groups.can_administer_channel_group],
  }),
  knownToAllOf: [groups.can_subscribe_group],
});

/** Marks an event of an archived channel. */
export const ofArchived = ({ isArchived }: Channel): { isOfArchived?: true } =>
  isArchived ? { isOfArchived: true } : {};
