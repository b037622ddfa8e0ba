import { composeBotPost } from '#shared/actions/messages/bot-message.ts';
import type { Change } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { policyName, quote } from '#shared/domain/channels/notes.ts';
import type { TopicPlace } from '#shared/domain/topics/topic-place.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel, listChannelsById } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getUser } from '#shared/store/users/users.ts';

interface Payload {
  actorId: number;
  channelIds: number[];
}

const CHANNEL_EVENTS = 'channel events';
const NEW_CHANNELS = 'new channels';

/** The notification bot posts a first message in each new channel; the last step announces them elsewhere. */
export async function announceChannels(
  services: Services,
  payload: Payload,
  step: number,
): Promise<Change | undefined> {
  const { notificationBotId, settings } = await getOrganization(services.table);
  const actor = await getUser(services.table, payload.actorId);
  const mention = `@_**${actor.fullName}|${actor.userId}**`;
  const channelId = payload.channelIds[step];
  const post = async (place: TopicPlace, content: string) => {
    const message = await composeBotPost(services, notificationBotId, place, content);
    return message && { message };
  };
  if (channelId !== undefined) {
    if (!settings.send_channel_events_messages) return undefined;
    const channel = await findChannel(services.table, channelId);
    return channel && post({ channelId, topic: CHANNEL_EVENTS }, openingNote(channel, mention));
  }
  const channels = await listChannelsById(services.table, payload.channelIds);
  const names = channels.filter(({ isPrivate }) => !isPrivate).map(({ name }) => `#**${name}**`);
  const announcementChannelId = settings.new_stream_announcements_stream_id;
  if (names.length === 0) return undefined;
  const what =
    names.length === 1 ? `a new channel ${names[0]}.` : `the following channels: ${names.join(', ')}.`;
  return post({ channelId: announcementChannelId, topic: NEW_CHANNELS }, `${mention} created ${what}`);
}

const openingNote = (channel: Channel, mention: string): string =>
  [
    `**${policyName(channel)}** channel created by ${mention}. **Description:**`,
    quote(channel.description),
  ].join('\n');
