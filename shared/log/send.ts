import type { Channel } from '#shared/domain/channels/channel.ts';
import type { Destination } from '#shared/domain/messages/destination.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels.ts';
import { commit } from './commit.ts';
import { recordActivity, recordHeads } from './heads.ts';

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
  await settleMessage(
    services,
    message,
    messageId,
    destination.kind === 'channel' ? destination.channel : undefined,
  );
  return messageId;
}

/**
 * What follows a message that is in the log: the heads of its conversation, and its channel's memory of it. A failure
 * must not become the answer of the sender; the sweep does it again.
 */
export async function settleMessage(
  services: Services,
  message: StoredMessage,
  messageId: number,
  channel?: Channel,
): Promise<void> {
  const sent = { ...message, messageId };
  try {
    await recordHeads(services.table, sent);
    if (sent.kind === 'direct') return;
    const known = channel ?? (await findChannel(services.table, sent.channelId));
    if (known) await recordActivity(services, known, sent);
  } catch (failure) {
    logLine('warn', 'What follows from a message could not be recorded', describeFailure(failure));
  }
}
