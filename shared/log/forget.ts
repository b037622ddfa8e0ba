import type { Message } from '#shared/domain/messages/message.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listBeside } from '#shared/store/beside.ts';
import { EVENT_LIFE_SECONDS, messageIndexKeys } from '#shared/store/log-entry.ts';
import { keys, partitions } from '#shared/table/keys.ts';
import type { Item, Table, Write } from '#shared/table/table.ts';

/**
 * Leaves an empty entry where a message was, so that readers find no hole; it ends when the longest queue has passed.
 * Fails where the message is gone already.
 */
export const tombstoneWrite = ({ clock }: Services, message: Message): Write => ({
  kind: 'update',
  key: keys.logEntry(message.messageId),
  set: { expiresAtSeconds: toSeconds(clock.nowMs()) + EVENT_LIFE_SECONDS },
  remove: ['message', 'inConversation', 'inChannel', 'reactionsIn', 'submessagesIn', 'revision'],
  condition: { exists: true, equals: messageIndexKeys(message) },
});

/** What tells where reactions to a message, its submessages, its earlier texts and its files lie. */
export type LeftParts = Pick<Message, 'messageId' | 'reactionsIn' | 'submessagesIn' | 'uploads'>;

/** Whether anything may lie beside the message. */
export const hasParts = ({ reactionsIn, submessagesIn, keptEdits = 0, uploads }: Message): boolean =>
  reactionsIn !== undefined || submessagesIn !== undefined || keptEdits > 0 || uploads !== undefined;

/**
 * Deletes what lies beside messages: reactions, submessages, and the texts that they had before. Files forget that they
 * named them.
 */
export async function forgetParts(services: Services, messages: LeftParts[]): Promise<void> {
  const { table } = services;
  if (messages.some(({ uploads }) => uploads)) {
    const { forgetNaming } = await import('./uploads.ts');
    await forgetNaming(services, messages);
  }
  for (const sign of ['reactionsIn', 'submessagesIn'] as const) {
    const beside = await listBeside(table, sign, messages, { consistent: true });
    await deleteItems(table, [...beside.values()].flat());
  }
  for (const { messageId } of messages) {
    const items = await table.list({ partition: partitions.textsOf(messageId), consistent: true });
    await deleteItems(table, items);
  }
}

const deleteItems = (table: Table, items: Item[]): Promise<unknown> =>
  mapConcurrently(items, ({ pk, sk }) =>
    table.write({ kind: 'delete', key: { pk: String(pk), sk: String(sk) } }),
  );
