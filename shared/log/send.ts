import type { Change } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import type { Destination } from '#shared/domain/messages/destination.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels.ts';
import { commitWithAnswer, type Retry } from './commit-with-answer.ts';
import { recordActivity, recordHeads } from './heads.ts';

/**
 * Puts a message into the log and answers with its id. From then on it is sent; the heads that are derived from it
 * follow, and are never a reason to fail.
 */
export async function sendMessageTo(
  services: Services,
  retry: Retry | undefined,
  destination: Destination,
  message: StoredMessage,
): Promise<{ id: number }> {
  const files = await nameUploadsOf(services, message);
  const sent = await commitWithAnswer(services, retry, { ...files, message }, (id) => ({ id }));
  await settleMessage(
    services,
    message,
    sent.id,
    destination.kind === 'channel' ? destination.channel : undefined,
  );
  return sent;
}

/** What a message that is about to be sent makes of the files that it names. Of one that names none, nothing. */
export async function nameUploadsOf(services: Services, { uploads }: StoredMessage): Promise<Change> {
  if (!uploads) return {};
  const { nameUploads } = await import('./uploads.ts');
  return nameUploads(services, uploads);
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
