import { scheduleChange } from '#shared/domain/scheduled-messages/changes.ts';
import type { ScheduledMessage } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { commitWithAnswer, type Retry } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readScheduledRoom } from '#shared/store/limits/room.ts';
import { scheduleDelivery } from './schedule-delivery.ts';

/**
 * Keeps a new scheduled message or reminder, and sets its schedule. A retry gets the answer of the first attempt.
 * @throws BadRequest if the account's limit is reached, Conflict, Overtaken
 */
export async function scheduleMessage(
  services: Services,
  scheduled: ScheduledMessage,
  answer: object,
  retry: Retry | undefined,
): Promise<void> {
  const room = await readScheduledRoom(services.table, scheduled.userId);
  const change = scheduleChange(scheduled, room, services.config.recordLimits.scheduledOfAccount);
  await commitWithAnswer(services, retry, change, answer);
  await scheduleDelivery(services, scheduled);
}
