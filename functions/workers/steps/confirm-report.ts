import type { Change } from '#shared/domain/change.ts';
import { describeReceipt, type ReportType } from '#shared/domain/messages/report.ts';
import { composeBotDirect } from '#shared/log/bot-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findMessage } from '#shared/store/messages.ts';
import { getOrganization } from '#shared/store/organization.ts';

interface Payload {
  reporterId: number;
  messageId: number;
  reportType: ReportType;
}

/** The notification bot tells somebody that their report has arrived; there is nothing to show of what was deleted since. */
export async function confirmReport(
  services: Services,
  { reporterId, messageId, reportType }: Payload,
): Promise<Change | undefined> {
  const [organization, message] = await Promise.all([
    getOrganization(services.table),
    findMessage(services.table, messageId),
  ]);
  if (!message) return undefined;
  const content = describeReceipt(organization, message, reportType);
  return { message: await composeBotDirect(services, organization.notificationBotId, reporterId, content) };
}
