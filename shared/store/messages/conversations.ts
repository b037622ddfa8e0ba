import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { messageIndex, positionOfSortKey } from '#shared/table/keys/log.ts';
import { userPartitions, userPrefixes } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';

/** A direct-message conversation of a user and its newest message; `userIds` are all participants. */
export interface ConversationSummary {
  userIds: number[];
  maxMessageId: number;
}

/** All conversations of the user. They are written after the messages, so the newest may be missing. */
export async function listConversationSummaries(
  table: Table,
  userId: number,
): Promise<ConversationSummary[]> {
  const partition = userPartitions.user(userId);
  const items = await table.list({ partition, prefix: userPrefixes.conversation, consistent: true });
  return items.map((item) => ({
    userIds: item.userIds as number[],
    maxMessageId: Number(item.maxMessageId),
  }));
}

/** The position of the first remaining message of a conversation. */
export async function findFirstOfConversation(table: Table, userIds: number[]): Promise<number | undefined> {
  const { items } = await table.page({
    index: messageIndex.byConversation,
    partition: messageIndex.direct(conversationKey(userIds)),
    limit: 1,
  });
  return items[0] && positionOfSortKey(String(items[0].sk));
}
