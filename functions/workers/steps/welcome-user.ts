import type { Change } from '#shared/domain/change.ts';
import { composeBotDirect } from '#shared/log/bot-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization.ts';

/** The welcome bot greets a new account. */
export async function welcomeUser(services: Services, payload: { userId: number }): Promise<Change> {
  const { name, welcomeBotId } = await getOrganization(services.table);
  const content = [
    `Hello, and welcome to ${name}! 👋`,
    '',
    'Messages are sent to channels, and each belongs to a topic there: subscribe to a channel, pick a topic, and say hello. You can also write to people directly.',
  ].join('\n');
  return { message: await composeBotDirect(services, welcomeBotId, payload.userId, content) };
}
