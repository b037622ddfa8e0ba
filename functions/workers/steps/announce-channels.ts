import { composeBotPost } from '#shared/actions/messages/bot-message.ts';
import { sayIn } from '#shared/actions/texts/say-in.ts';
import type { Change } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { privacyName, privacyOf, quote } from '#shared/domain/channels/notes.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel, listChannelsById } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getUser } from '#shared/store/users/users.ts';

/** The notification bot posts a first message in each new channel; the last step announces them elsewhere. */
export async function announceChannels(
  services: Services,
  payload: JobPayloads['announce-channels'],
  step: number,
): Promise<Change | undefined> {
  const { notificationBotId, settings } = await getOrganization(services.table);
  const actor = await getUser(services.table, payload.actorId);
  const mention = `@_**${actor.fullName}|${actor.userId}**`;
  const say = await sayIn(settings.default_language);
  const channelId = payload.channelIds[step];
  const post = async (place: TopicPlace, content: string) => {
    const message = await composeBotPost(services, notificationBotId, place, content);
    return message && { message };
  };
  if (channelId !== undefined) {
    if (!settings.send_channel_events_messages) return undefined;
    const channel = await findChannel(services.table, channelId);
    return channel && post({ channelId, topic: say('channels.events') }, openingNote(channel, mention, say));
  }
  const channels = await listChannelsById(services.table, payload.channelIds);
  const names = channels.filter(({ isPrivate }) => !isPrivate).map(({ name }) => `#**${name}**`);
  const announcementChannelId = settings.new_stream_announcements_stream_id;
  if (names.length === 0) return undefined;
  const content =
    names.length === 1
      ? say('channels.createdOne', { person: mention, channel: names.join() })
      : say('channels.createdMany', { person: mention, channels: names.join(', ') });
  return post({ channelId: announcementChannelId, topic: say('channels.newChannels') }, content);
}

const openingNote = (channel: Channel, person: string, say: Say): string =>
  [
    say('channels.opened', { person, privacy: privacyName(privacyOf(channel), say) }),
    quote(channel.description, say),
  ].join('\n');
