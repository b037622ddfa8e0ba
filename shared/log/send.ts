import type { Change, Job } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { mergeChanges } from '#shared/domain/merge-changes.ts';
import type { Destination } from '#shared/domain/messages/destination.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels.ts';
import { commitWithAnswer, type Retry } from './commit-with-answer.ts';
import { recordActivity, recordHeads } from './heads.ts';
import type { RaisedTopic } from './own-topics.ts';

/** A message, and what comes true with it: what it makes of its sender's preference for the topic, and more to do. */
export interface Sending {
  message: StoredMessage;
  raised: RaisedTopic | undefined;
  jobs?: Job[];
}

interface Sent {
  id: number;
  automatic_new_visibility_policy?: number;
}

/**
 * Puts a message into the log and answers with its id. From then on it is sent; the heads that are derived from it
 * follow, and are never a reason to fail.
 */
export async function sendMessageTo(
  services: Services,
  retry: Retry | undefined,
  destination: Destination,
  { message, raised, jobs = [] }: Sending,
): Promise<Sent> {
  const files = await nameUploadsOf(services, message);
  const parts = [files, raised?.change ?? {}, { jobs }].filter(isSomething);
  const change: Change = { ...(parts.length > 0 && mergeChanges(...parts)), message };
  const sent = await commitWithAnswer(services, retry, change, (id) => ({
    id,
    ...(raised && { automatic_new_visibility_policy: raised.policy }),
  }));
  await settleMessage(
    services,
    message,
    sent.id,
    destination.kind === 'channel' ? destination.channel : undefined,
  );
  return sent;
}

/** A message that comes alone is one put. */
const isSomething = ({ writes = [], events = [], jobs = [] }: Change): boolean =>
  typeof writes === 'function' || writes.length + events.length + jobs.length > 0;

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
