import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** The notification bot sends a sender the reason why a scheduled message was not sent. */
export async function notifySchedulingFailure(
  services: Services,
  payload: JobPayloads['notify-scheduling-failure'],
): Promise<Change> {
  const { notificationBotId } = await getOrganization(services.table);
  const say = await textsFor(services, payload.userId);
  const content = [say('scheduled.failed'), '', `> ${payload.reason}`, '', say('scheduled.isKept')].join(
    '\n',
  );
  return { message: await composeBotDirect(services, notificationBotId, payload.userId, content) };
}
