import type { Message } from '#shared/domain/messages/message.ts';
import { readSubmessages } from '#shared/domain/widgets/changes.ts';
import type { Table } from '#shared/table/table.ts';
import { type BesideOptions, listBeside } from './beside.ts';

/** The messages with their submessages, oldest first. */
export async function withSubmessages<One extends Message>(
  table: Table,
  messages: One[],
  options: BesideOptions = {},
): Promise<One[]> {
  const byMessage = await listBeside(table, 'submessagesIn', messages, options);
  return messages.map((message) => {
    const found = byMessage.get(message.messageId);
    return found
      ? { ...message, submessages: found.flatMap(readSubmessages).sort((a, b) => a.id - b.id) }
      : message;
  });
}
