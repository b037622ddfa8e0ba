import { composeBotDirect, composeBotPost } from '#shared/actions/messages/bot-message.ts';
import { sayIn } from '#shared/actions/texts/say-in.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findUser, getUser } from '#shared/store/users/users.ts';

/**
 * The welcome bot greets a new account; then the notification bot announces it if the organization wants
 * that, and notifies the inviter if they requested it.
 */
export async function welcomeUser(
  services: Services,
  payload: JobPayloads['welcome-user'],
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
  { userId, text = organization.settings.welcome_message_custom_text }: JobPayloads['welcome-user'],
): Promise<Change> {
  // A new account begins with the language of the organization.
  const say = await sayIn(organization.settings.default_language);
  const content = greeting(organization, text, say);
  return { message: await composeBotDirect(services, organization.welcomeBotId, userId, content) };
}

async function announce(
  services: Services,
  { settings, notificationBotId }: Organization,
  { userId }: JobPayloads['welcome-user'],
): Promise<Change | undefined> {
  const { fullName } = await getUser(services.table, userId);
  const say = await sayIn(settings.default_language);
  const place = { channelId: settings.signup_announcements_stream_id, topic: say('people.signups') };
  const news = say('people.joined', { person: `@_**${fullName}|${userId}**` });
  const message = await composeBotPost(services, notificationBotId, place, news);
  return message && { message };
}

async function tellInviter(
  services: Services,
  { notificationBotId }: Organization,
  { userId, inviterId }: JobPayloads['welcome-user'],
): Promise<Change | undefined> {
  const inviter = inviterId === undefined ? undefined : await findUser(services.table, inviterId);
  if (!inviter?.isActive) return undefined;
  const { fullName } = await getUser(services.table, userId);
  const say = await textsFor(services, inviter.userId);
  const news = say('people.accepted', { person: `@_**${fullName}|${userId}**` });
  return { message: await composeBotDirect(services, notificationBotId, inviter.userId, news) };
}

function greeting({ name: organization }: Organization, custom: string, say: Say): string {
  return [
    say('welcome.hello', { organization }),
    '',
    say('welcome.howItWorks'),
    ...(custom === '' ? [] : ['', custom]),
  ].join('\n');
}
