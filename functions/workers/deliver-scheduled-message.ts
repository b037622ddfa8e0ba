import type { Change } from '#shared/domain/change.ts';
import { DeclaredError } from '#shared/domain/errors.ts';
import type { Linker } from '#shared/domain/linkifiers/links.ts';
import { mergeChanges } from '#shared/domain/merge-changes.ts';
import { composeMessage } from '#shared/domain/messages/compose.ts';
import type { Destination } from '#shared/domain/messages/destination.ts';
import type { MessageText } from '#shared/domain/messages/message.ts';
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
import { accountPart } from '#shared/domain/settings/change.ts';
import type { User } from '#shared/domain/users/user.ts';
import { composeBotDirect } from '#shared/log/bot-message.ts';
import { commit, commitSilently, withFreshState } from '#shared/log/commit.ts';
import { getCurrentUser } from '#shared/log/current-user.ts';
import { jobsOfMentions } from '#shared/log/mention-jobs.ts';
import { composeText, topicOf } from '#shared/log/message-text.ts';
import { type RaisedTopic, raiseBySending } from '#shared/log/own-topics.ts';
import { nameUploadsOf, settleMessage } from '#shared/log/send.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { ScheduledDelivery, Services } from '#shared/runtime/services.ts';
import { isClosed } from '#shared/store/closure.ts';
import { getDestination } from '#shared/store/destinations.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { loadKnown } from '#shared/store/references.ts';
import { findScheduledMessage } from '#shared/store/scheduled-messages.ts';
import { getUserSettings } from '#shared/store/user-settings.ts';

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
  // It is overdue when the organization goes on, and the sweep delivers it then.
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
  const sender = await getCurrentUser(services, scheduled.userId);
  if (isReminder(scheduled)) return remind(services, sender, scheduled);
  const checked = await checkAgain(services, sender, scheduled);
  if ('reason' in checked) {
    await commit(services, failureChange(scheduled, checked.reason));
    return;
  }
  const { client, isReadBySender } = scheduled;
  const { destination, text, linker } = checked;
  const atSeconds = toSeconds(services.clock.nowMs());
  const message = composeMessage(sender, destination, { text, client, isReadBySender }, atSeconds, linker);
  const parts: Change[] = [
    removalChange(scheduled),
    await nameUploadsOf(services, message),
    (await raiseByDelivery(services, sender, destination))?.change ?? {},
    { jobs: await jobsOfMentions(services.table, topicOf(destination), text) },
  ];
  const change: Change = { ...mergeChanges(...parts), message };
  await settleMessage(services, message, await commit(services, change));
}

async function raiseByDelivery(
  services: Services,
  sender: User,
  destination: Destination,
): Promise<RaisedTopic | undefined> {
  if (destination.kind === 'direct') return undefined;
  const settings = await getUserSettings(services.table, sender);
  const account = { ...sender, ...accountPart(settings) };
  return raiseBySending(services, account, { view: destination, topic: destination.topic });
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
): Promise<{ destination: Destination; text: MessageText; linker: Linker } | { reason: string }> {
  if (!sender.isActive) return { reason: 'Account is deactivated' };
  try {
    const { content, target } = scheduled;
    const destination = await getDestination(services.table, sender, toAddress(target));
    const known = await loadKnown(services.table, sender, content);
    const text = await composeText(services, { author: sender, place: destination, content, known });
    return { destination, text, linker: known.linker };
  } catch (failure) {
    if (failure instanceof DeclaredError) return { reason: failure.message };
    throw failure;
  }
}

export const handler = (delivery: ScheduledDelivery): Promise<void> =>
  deliverScheduledMessage(awsServices(), delivery);
