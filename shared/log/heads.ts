import type { Channel } from '#shared/domain/channels/channel.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Table, type Write } from '#shared/table/table.ts';

type Update = Extract<Write, { kind: 'update' }>;

/**
 * Moves what is derived from a message: the head of its topic and the first message of its channel, or the heads of
 * the conversation for each participant. Idempotent; the sweep does it again for writers that died.
 */
export async function recordHeads(table: Table, message: Message): Promise<void> {
  await mapConcurrently(headWrites(message), async (write) => {
    try {
      await table.write(write);
    } catch (failure) {
      if (!(failure instanceof ConditionFailed)) throw failure;
    }
  });
}

/** The same, for a writer whose message is in the log already: a failure here must not become its answer. */
export async function recordHeadsSoon(services: Services, message: Message): Promise<void> {
  try {
    await recordHeads(services.table, message);
  } catch (failure) {
    logLine('warn', 'Heads could not be recorded; the sweep will', describeFailure(failure));
  }
}

function headWrites(message: Message): Update[] {
  const { messageId } = message;
  const isNewest = { belowOrAbsent: { maxMessageId: messageId } };
  if (message.kind === 'direct') {
    const userIds = message.recipients.map(({ id }) => id);
    return userIds.map((userId) => ({
      kind: 'update',
      key: keys.conversation(userId, conversationKey(userIds)),
      set: { maxMessageId: messageId, userIds },
      condition: isNewest,
    }));
  }
  const { channelId, topic } = message;
  return [
    {
      kind: 'update',
      key: keys.topic(channelId, toCanonical(topic)),
      set: { topic, maxMessageId: messageId },
      condition: isNewest,
    },
  ];
}

const DAY_SECONDS = 24 * 3600;

type Activity = Pick<Channel, 'channelId' | 'firstMessageId' | 'lastActiveAtSeconds'>;

/** What a channel itself remembers of its messages; written at its first message and then at most once a day. */
export async function recordActivity(table: Table, channel: Activity, message: Message): Promise<void> {
  const { channelId, firstMessageId } = channel;
  const isFirst = firstMessageId === null || message.messageId < firstMessageId;
  const isNewDay = message.atSeconds - channel.lastActiveAtSeconds > DAY_SECONDS;
  if (!isFirst && !isNewDay) return;
  try {
    await table.write({
      kind: 'update',
      key: keys.channel(channelId),
      set: {
        ...(isFirst && { firstMessageId: message.messageId }),
        ...(isNewDay && { lastActiveAtSeconds: message.atSeconds }),
      },
      condition: { exists: true, equals: { firstMessageId } },
    });
  } catch (failure) {
    if (!(failure instanceof ConditionFailed)) throw failure;
    if (failure.existing) await recordActivity(table, failure.existing as unknown as Activity, message);
  }
}
