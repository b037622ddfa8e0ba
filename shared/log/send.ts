import type { Destination } from '#shared/domain/messages/destination.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { commit } from './commit.ts';
import { recordActivity, recordHeadsSoon } from './heads.ts';

/**
 * Puts a message into the log and returns its id. From then on it is sent; the heads that are derived from it
 * follow, and are never a reason to fail.
 */
export async function sendMessageTo(
  services: Services,
  destination: Destination,
  message: StoredMessage,
): Promise<number> {
  const messageId = await commit(services, { message });
  await settleMessage(services, destination, message, messageId);
  return messageId;
}

/** What follows a message that is in the log: the heads of its conversation, and its channel's memory of it. */
export async function settleMessage(
  services: Services,
  destination: Destination,
  message: StoredMessage,
  messageId: number,
): Promise<void> {
  const sent = { ...message, messageId };
  await recordHeadsSoon(services, sent);
  if (destination.kind === 'direct') return;
  try {
    await recordActivity(services.table, destination.channel, sent);
  } catch (failure) {
    logLine('warn', 'The activity of a channel could not be recorded', describeFailure(failure));
  }
}
