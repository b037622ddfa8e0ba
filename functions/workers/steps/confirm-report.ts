import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** The notification bot confirms a report to the reporter. */
export async function confirmReport(
  services: Services,
  { reporterId, content }: JobPayloads['confirm-report'],
): Promise<Change> {
  const { notificationBotId } = await getOrganization(services.table);
  return { message: await composeBotDirect(services, notificationBotId, reporterId, content) };
}
