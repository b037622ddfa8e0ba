import type { Change } from '#shared/domain/change.ts';
import { DeclaredError } from '#shared/domain/errors.ts';
import { mergeChanges } from '#shared/domain/merge-changes.ts';
import { composeMessage } from '#shared/domain/messages/compose.ts';
import type { Destination } from '#shared/domain/messages/destination.ts';
import {
  failedReminderWrite,
  failureChange,
  removalChange,
  toAddress,
} from '#shared/domain/scheduled/changes.ts';
import {
  isReminder,
  type Reminder,
  type ScheduledMessage,
} from '#shared/domain/scheduled/scheduled-message.ts';
import type { User } from '#shared/domain/users/user.ts';
import { composeBotDirect } from '#shared/log/bot-message.ts';
import { commit, commitSilently, withFreshState } from '#shared/log/commit.ts';
import { getCurrentUser } from '#shared/log/current-user.ts';
import { nameUploadsOf, settleMessage } from '#shared/log/send.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { ScheduledDelivery, Services } from '#shared/runtime/services.ts';
import { getDestination } from '#shared/store/destinations.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { loadKnown } from '#shared/store/references.ts';
import { findScheduledMessage } from '#shared/store/scheduled-messages.ts';

/** A schedule fires within its minute, so it may be early; anything earlier belongs to an older time. */
const MAX_EARLY_MS = 61_000;

/**
 * Turns a scheduled message into a message, exactly once however often it is called. What its sender may no longer
 * send stays, marked as failed, and the sender is told.
 */
export async function deliverScheduledMessage(
  services: Services,
  delivery: ScheduledDelivery,
): Promise<void> {
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
  const sender = await getCurrentUser(services, scheduled.userId);
  if (isReminder(scheduled)) return remind(services, sender, scheduled);
  const checked = await checkAgain(services, sender, scheduled);
  if ('reason' in checked) {
    await commit(services, failureChange(scheduled, checked.reason));
    return;
  }
  const { content, client, isReadBySender } = scheduled;
  const atSeconds = toSeconds(services.clock.nowMs());
  const draft = { content, client, isReadBySender };
  const known = await loadKnown(services.table, sender, content);
  const message = composeMessage(sender, checked.destination, draft, atSeconds, known);
  const files = await nameUploadsOf(services, message);
  const change: Change = { ...mergeChanges(removalChange(scheduled), files), message };
  await settleMessage(services, message, await commit(services, change));
}

async function remind(services: Services, user: User, reminder: Reminder): Promise<void> {
  if (!user.isActive) return commitSilently(services, [failedReminderWrite(reminder)]);
  const { notificationBotId } = await getOrganization(services.table);
  const message = await composeBotDirect(services, notificationBotId, user.userId, reminder.content);
  const change: Change = { ...removalChange(reminder), message };
  await settleMessage(services, message, await commit(services, change));
}

async function checkAgain(
  services: Services,
  sender: User,
  scheduled: ScheduledMessage,
): Promise<{ destination: Destination } | { reason: string }> {
  if (!sender.isActive) return { reason: 'Account is deactivated' };
  try {
    return { destination: await getDestination(services.table, sender, toAddress(scheduled.target)) };
  } catch (failure) {
    if (failure instanceof DeclaredError) return { reason: failure.message };
    throw failure;
  }
}

export const handler = (delivery: ScheduledDelivery): Promise<void> =>
  deliverScheduledMessage(awsServices(), delivery);
