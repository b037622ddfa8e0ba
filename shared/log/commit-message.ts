import type { Change } from '#shared/domain/change.ts';
import { newActivity } from '#shared/domain/channels/activity.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message, StoredMessage } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels/channels.ts';
import { messageIndexKeys } from '#shared/store/log/log-entry.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { type Condition, type Table, unlessChanged, type Write } from '#shared/table/table.ts';
import { commitOutcome, commitSilently, type Retry, unlessConflict } from './commit.ts';

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

type Update = Extract<Write, { kind: 'update' }>;

/**
 * Updates the summaries derived from a message: the topic's and the channel's first message, or the
 * conversation's for each participant. Idempotent. A late update, of a message that has left the place, is refused.
 */
export async function recordSummaries(table: Table, message: Message): Promise<void> {
  await mapConcurrently(summaryWrites(message), (write) =>
    unlessChanged(() => table.write(write, { mayBeLost: true })),
  );
}

/**
 * The same for many messages, ascending. Writes only outdated summaries, because refused writes cost as well, and only
 * for messages that are still in their place.
 */
export async function repairSummaries(services: Services, messages: Message[]): Promise<void> {
  const newest = new Map(
    messages.flatMap((message) =>
      summaryWrites(message).map((write) => [`${write.key.pk} ${write.key.sk}`, { message, write }]),
    ),
  );
  const summaries = await services.table.findMany(
    [...newest.values()].map(({ write }) => write.key),
    { eventually: true },
  );
  for (const { pk, sk, maxMessageId } of summaries) {
    const message = newest.get(`${pk} ${sk}`)?.message;
    if (message && Number(maxMessageId) >= message.messageId) newest.delete(`${pk} ${sk}`);
  }
  await mapConcurrently([...newest.values()], ({ message, write }) =>
    unlessConflict(() =>
      commitSilently(services, [placeCheck(message), { ...write, condition: isNewest(message) }]),
    ),
  );
}

const placeCheck = (message: Message): Write => ({
  kind: 'check',
  key: logKeys.entry(message.messageId),
  condition: { equals: messageIndexKeys(message) },
});

const isNewest = ({ messageId }: Message): Condition => ({ belowOrAbsent: { maxMessageId: messageId } });

/**
 * The writes that make a message the newest of its topic, or of its conversation for each participant, unless it or a
 * newer one has left.
 */
export function summaryWrites(message: Message): Update[] {
  const { messageId } = message;
  const condition = { belowOrAbsent: { maxMessageId: messageId, leftMessageId: messageId } };
  if (message.kind === 'direct') {
    const userIds = message.recipients.map(({ id }) => id);
    return userIds.map((userId) => ({
      kind: 'update',
      key: userKeys.conversation(userId, conversationKey(userIds)),
      set: { maxMessageId: messageId, userIds },
      condition,
    }));
  }
  const { channelId, topic } = message;
  return [
    {
      kind: 'update',
      key: channelKeys.topic(channelId, toCanonical(topic)),
      set: { topic, maxMessageId: messageId },
      condition,
    },
  ];
}
