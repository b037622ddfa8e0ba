import type { ScheduledMessage } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';

/** Creates the schedule of a scheduled message. Without one the sweep delivers it, only later. */
export async function scheduleDelivery(services: Services, scheduled: ScheduledMessage): Promise<void> {
  const { userId, scheduledMessageId, deliverAtSeconds } = scheduled;
  await bestEffort(() => services.scheduler.put({ userId, scheduledMessageId }, deliverAtSeconds));
}

/** Deletes the schedule. If it fires nevertheless, it finds nothing to deliver. */
export async function cancelDelivery(services: Services, scheduled: ScheduledMessage): Promise<void> {
  const { userId, scheduledMessageId } = scheduled;
  await bestEffort(() => services.scheduler.remove({ userId, scheduledMessageId }));
}

async function bestEffort(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (failure) {
    logLine('warn', 'A schedule could not be changed; the sweep will deliver', describeFailure(failure));
  }
}
