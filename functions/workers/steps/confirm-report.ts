import type { Change } from '#shared/domain/change.ts';
import { composeBotDirect } from '#shared/log/bot-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization.ts';

interface Payload {
  reporterId: number;
  content: string;
}

/** The notification bot tells somebody that their report has arrived. */
export async function confirmReport(services: Services, { reporterId, content }: Payload): Promise<Change> {
  const { notificationBotId } = await getOrganization(services.table);
  return { message: await composeBotDirect(services, notificationBotId, reporterId, content) };
}
