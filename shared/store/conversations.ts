import { partitions, prefixes } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** A direct-message conversation of a user and its newest message; `userIds` are all participants. */
export interface ConversationHead {
  userIds: number[];
  maxMessageId: number;
}

/** Every conversation of the user. Written after the messages, so the newest may be missing. */
export async function listConversationHeads(table: Table, userId: number): Promise<ConversationHead[]> {
  const items = await table.list({ partition: partitions.user(userId), prefix: prefixes.conversation });
  return items.map((item) => ({
    userIds: item.userIds as number[],
    maxMessageId: Number(item.maxMessageId),
  }));
}
