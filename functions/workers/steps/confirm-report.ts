import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import type { Change } from '#shared/domain/change.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

interface Payload {
  reporterId: number;
  content: string;
}

/** The notification bot confirms a report to the reporter. */
export async function confirmReport(services: Services, { reporterId, content }: Payload): Promise<Change> {
  const { notificationBotId } = await getOrganization(services.table);
  return { message: await composeBotDirect(services, notificationBotId, reporterId, content) };
}
