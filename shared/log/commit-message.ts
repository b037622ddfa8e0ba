import type { Change } from '#shared/domain/change.ts';
import { newActivity } from '#shared/domain/channels/activity.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels/channels.ts';
import { commitOutcome, type Retry } from './commit-with-answer.ts';
import { recordSummaries } from './summaries.ts';

interface Options {
  /** The answer to store for retries of the request. */
  answerAt?: (messageId: number) => object;
  retry?: Retry | undefined;
  /** The channel of the message, if the caller has loaded it. */
  channel?: Channel | undefined;
}

/**
 * Commits a change with a message and returns the message's id, then updates the summaries of its
 * conversation and its channel. A failure of these updates does not fail the commit, because the sweep
 * repeats them.
 * @throws Conflict, Overtaken
 */
export async function commitMessage(
  services: Services,
  change: Change & { message: StoredMessage },
  { retry, channel, answerAt = () => ({}) }: Options = {},
): Promise<number> {
  const messageId = await commitOutcome(services, retry, change, (id) => ({ fields: answerAt(id) }));
  const sent = { ...change.message, messageId };
  try {
    await recordSummaries(services.table, sent);
    if (sent.kind === 'direct') return messageId;
    const known = channel ?? (await findChannel(services.table, sent.channelId));
    // The code is loaded with the first message that needs it.
    if (known && newActivity(known, sent))
      await (await import('./activity.ts')).recordActivity(services, known, sent);
  } catch (failure) {
    logLine('warn', 'Data derived from a message could not be written', describeFailure(failure));
  }
  return messageId;
}
