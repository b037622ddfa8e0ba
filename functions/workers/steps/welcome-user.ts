import { composeBotDirect, composeBotPost } from '#shared/actions/messages/bot-message.ts';
import type { Change } from '#shared/domain/change.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { Welcome } from '#shared/domain/users/create.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findUser, getUser } from '#shared/store/users/users.ts';

const SIGN_UPS = 'signups';

type Payload = Welcome & { userId: number };

/**
 * The welcome bot greets a new account; then the notification bot announces it if the organization wants
 * that, and tells the inviter if they asked for it.
 */
export async function welcomeUser(
  services: Services,
  payload: Payload,
  step: number,
): Promise<Change | undefined> {
  const organization = await getOrganization(services.table);
  if (step === 0) return greet(services, organization, payload);
  return step === 1
    ? announce(services, organization, payload)
    : tellInviter(services, organization, payload);
}

async function greet(
  services: Services,
  organization: Organization,
  { userId, text = organization.settings.welcome_message_custom_text }: Payload,
): Promise<Change> {
  const content = greeting(organization, text);
  return { message: await composeBotDirect(services, organization.welcomeBotId, userId, content) };
}

async function announce(
  services: Services,
  { settings, notificationBotId }: Organization,
  { userId }: Payload,
): Promise<Change | undefined> {
  const { fullName } = await getUser(services.table, userId);
  const place = { channelId: settings.signup_announcements_stream_id, topic: SIGN_UPS };
  const news = `@_**${fullName}|${userId}** joined this organization.`;
  const message = await composeBotPost(services, notificationBotId, place, news);
  return message && { message };
}

async function tellInviter(
  services: Services,
  { notificationBotId }: Organization,
  { userId, inviterId }: Payload,
): Promise<Change | undefined> {
  const inviter = inviterId === undefined ? undefined : await findUser(services.table, inviterId);
  if (!inviter?.isActive) return undefined;
  const { fullName } = await getUser(services.table, userId);
  const news = `@_**${fullName}|${userId}** accepted your invitation to join.`;
  return { message: await composeBotDirect(services, notificationBotId, inviter.userId, news) };
}

function greeting({ name }: Organization, custom: string): string {
  return [
    `Hello, and welcome to ${name}! 👋`,
    '',
    'Messages are sent to channels, and each belongs to a topic there: subscribe to a channel, pick a topic, and say hello. You can also write to people directly.',
    ...(custom === '' ? [] : ['', custom]),
  ].join('\n');
}
