import type { Change } from '#shared/domain/change.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { composeBotDirect, composeBotPost } from '#shared/log/bot-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { getUser } from '#shared/store/users.ts';

const SIGN_UPS = 'signups';

/** The welcome bot greets a new account; then the notification bot announces it where the organization wants that. */
export async function welcomeUser(
  services: Services,
  payload: { userId: number },
  step: number,
): Promise<Change | undefined> {
  const organization = await getOrganization(services.table);
  if (step === 0) {
    const { welcomeBotId } = organization;
    return {
      message: await composeBotDirect(services, welcomeBotId, payload.userId, greeting(organization)),
    };
  }
  const channelId = organization.settings.signup_announcements_stream_id;
  if (channelId < 0) return undefined;
  const { userId, fullName } = await getUser(services.table, payload.userId);
  const place = { channelId, topic: SIGN_UPS };
  const news = `@_**${fullName}|${userId}** joined this organization.`;
  const message = await composeBotPost(services, organization.notificationBotId, place, news);
  return message && { message };
}

function greeting({ name, settings }: Organization): string {
  const custom = settings.welcome_message_custom_text;
  return [
    `Hello, and welcome to ${name}! 👋`,
    '',
    'Messages are sent to channels, and each belongs to a topic there: subscribe to a channel, pick a topic, and say hello. You can also write to people directly.',
    ...(custom === '' ? [] : ['', custom]),
  ].join('\n');
}
