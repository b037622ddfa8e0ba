import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Table, Write, WriteOptions } from '#shared/table/table.ts';
import { unlessChanged } from '#shared/table/unless-changed.ts';

type Update = Extract<Write, { kind: 'update' }>;

/**
 * Updates the summaries derived from a message: the topic's and the channel's first message, or the
 * conversation's for each participant. Idempotent.
 */
export const recordSummaries = (table: Table, message: Message): Promise<void> =>
  writeSummaries(table, summaryWrites(message), { mayBeLost: true });

/**
 * The same for many messages, ascending. Writes only outdated summaries, because refused writes cost as well.
 */
export async function repairSummaries(table: Table, messages: Message[]): Promise<void> {
  const newest = new Map(
    messages.flatMap(summaryWrites).map((write) => [`${write.key.pk} ${write.key.sk}`, write]),
  );
  const summaries = await table.findMany(
    [...newest.values()].map(({ key }) => key),
    { eventually: true },
  );
  for (const { pk, sk, maxMessageId } of summaries) {
    const write = newest.get(`${pk} ${sk}`);
    if (Number(maxMessageId) >= Number(write?.set?.maxMessageId)) newest.delete(`${pk} ${sk}`);
  }
  await writeSummaries(table, [...newest.values()]);
}

async function writeSummaries(table: Table, writes: Update[], options?: WriteOptions): Promise<void> {
  await mapConcurrently(writes, (write) => unlessChanged(() => table.write(write, options)));
}

/** The writes that make a message the newest of its topic, or of its conversation for each participant. */
export function summaryWrites(message: Message): Update[] {
  const { messageId } = message;
  const isNewest = { belowOrAbsent: { maxMessageId: messageId } };
  if (message.kind === 'direct') {
    const userIds = message.recipients.map(({ id }) => id);
    return userIds.map((userId) => ({
      kind: 'update',
      key: userKeys.conversation(userId, conversationKey(userIds)),
      set: { maxMessageId: messageId, userIds },
      condition: isNewest,
    }));
  }
  const { channelId, topic } = message;
  return [
    {
      kind: 'update',
      key: channelKeys.topic(channelId, toCanonical(topic)),
      set: { topic, maxMessageId: messageId },
      condition: isNewest,
    },
  ];
}
