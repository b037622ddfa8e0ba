import type { Audience } from '#shared/events/catalogue.ts';
import type { Channel } from './channel.ts';

/** Those who may know of the channel when the event happens. */
export const channelAudience = (channel: Channel): Extract<Audience, { kind: 'channel' }> => ({
  kind: 'channel',
  channelId: channel.channelId,
  isPublic: !channel.isPrivate,
  isWebPublic: channel.isWebPublic,
});
