import { removalChange } from '#shared/domain/scheduled-messages/changes.ts';
import type { ScheduledMessage } from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findRoom } from '#shared/store/limits/room.ts';
import { roomKeys } from '#shared/table/keys/limits.ts';
import { cancelDelivery } from './schedule-delivery.ts';

/** Deletes a scheduled message or a reminder, and then its schedule. @throws Conflict */
export async function cancelScheduledMessage(services: Services, scheduled: ScheduledMessage): Promise<void> {
  const room = await findRoom(services.table, roomKeys.scheduled(scheduled.userId));
  await commit(services, removalChange(scheduled, room));
  await cancelDelivery(services, scheduled);
}
