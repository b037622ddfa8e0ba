import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import {
  commitPrepared,
  type PreparedMessage,
  prepareMessage,
} from '#shared/actions/messages/send-message.ts';
import { presentContentsOf } from '#shared/actions/scheduled-messages/reminder-contents.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { DeclaredError } from '#shared/domain/errors.ts';
import type { Room } from '#shared/domain/room.ts';
import {
  failedReminderWrite,
  failureChange,
  removalChange,
  toAddress,
} from '#shared/domain/scheduled-messages/changes.ts';
import {
  isReminder,
  type Reminder,
  type ScheduledMessage,
} from '#shared/domain/scheduled-messages/scheduled-message.ts';
import { accountPart } from '#shared/domain/settings/change.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit, commitSilently, withFreshState } from '#shared/log/commit.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import type { ScheduledDelivery, Services } from '#shared/runtime/services.ts';
import { findRoom } from '#shared/store/limits/room.ts';
import { getOrganization, isClosed } from '#shared/store/organization/organization.ts';
import { findScheduledMessage } from '#shared/store/scheduled-messages.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import { getUserSettings } from '#shared/store/users/user-settings.ts';
import { roomKeys } from '#shared/table/keys/limits.ts';

/** A schedule fires within its minute, so it may be early; earlier calls belong to an outdated schedule. */
const MAX_EARLY_MS = 61_000;

/**
 * Sends a scheduled message exactly once, however often it is called. A message that its sender may no longer
 * send stays, marked as failed, and the sender is notified.
 */
export async function deliverScheduledMessage(
  services: Services,
  delivery: ScheduledDelivery,
): Promise<void> {
  // After a reactivation it is overdue, and the sweep delivers it.
  if (await isClosed(services)) return;
  await withFreshState(services, async () => {
    const scheduled = await findScheduledMessage(
      services.table,
      delivery.userId,
      delivery.scheduledMessageId,
    );
    if (!scheduled || scheduled.isFailed) return;
    const earlyMs = scheduled.deliverAtSeconds * 1000 - services.clock.nowMs();
    if (earlyMs > MAX_EARLY_MS) return;
    if (earlyMs > 0) await services.clock.sleep(earlyMs);
    await deliver(services, scheduled);
  });
}

async function deliver(services: Services, scheduled: ScheduledMessage): Promise<void> {
  if (isReminder(scheduled)) return remind(services, scheduled);
  const checked = await checkAgain(services, scheduled);
  if ('reason' in checked) {
    await commit(services, failureChange(scheduled, checked.reason));
    return;
  }
  const together = removalChange(scheduled, await roomOf(services, scheduled));
  await commitPrepared(services, checked.prepared, { together });
}

const roomOf = ({ table }: Services, { userId }: ScheduledMessage): Promise<Room> =>
  findRoom(table, roomKeys.scheduled(userId));

/** Whether the sender may send the message now, like a new one. */
async function checkAgain(
  services: Services,
  { userId, content, target, client, isReadBySender }: ScheduledMessage,
): Promise<{ prepared: PreparedMessage } | { reason: string }> {
  const user = await getCurrentUser(services, userId);
  if (!user.isActive) return { reason: 'Account is deactivated' };
  try {
    const sender = target.kind === 'channel' ? await withAccountPart(services, user) : user;
    const sending = { address: toAddress(target), content, client, isReadBySender };
    return { prepared: await prepareMessage(services, sender, sending) };
  } catch (failure) {
    if (failure instanceof DeclaredError) return { reason: failure.message };
    throw failure;
  }
}

/** The user with the settings that requests load with the account. */
async function withAccountPart(services: Services, user: User): Promise<User> {
  return { ...user, ...accountPart(await getUserSettings(services.table, user)) };
}

async function remind(services: Services, reminder: Reminder): Promise<void> {
  const user = await getCurrentUser(services, reminder.userId);
  if (!user.isActive) return commitSilently(services, [failedReminderWrite(reminder)]);
  const organization = await getOrganization(services.table);
  const [content = ''] = await presentContentsOf(services, user, [reminder]);
  const message = await composeBotDirect(services, organization.notificationBotId, user.userId, content);
  const removal = removalChange(reminder, await roomOf(services, reminder));
  await commitMessage(services, { ...removal, message });
}

export const handler = (delivery: ScheduledDelivery): Promise<void> =>
  deliverScheduledMessage(awsServices(), delivery);
