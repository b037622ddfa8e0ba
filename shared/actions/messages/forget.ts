import type { MessageParts } from '#shared/domain/jobs.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { EVENT_LIFE_SECONDS, messageIndexKeys } from '#shared/store/log/log-entry.ts';
import { listBeside } from '#shared/store/messages/beside.ts';
import { logKeys, messagePartitions } from '#shared/table/keys/log.ts';
import type { Item, Table, Write } from '#shared/table/table.ts';

/**
 * Replaces a message by an empty entry, so that readers find no hole; it expires after the longest queue.
 * Fails when the message has been deleted already.
 */
export const tombstoneWrite = ({ clock }: Services, message: Message): Write => ({
  kind: 'update',
  key: logKeys.entry(message.messageId),
  set: { expiresAtSeconds: toSeconds(clock.nowMs()) + EVENT_LIFE_SECONDS },
  remove: ['message', 'inConversation', 'inChannel', 'reactionsIn', 'submessagesIn', 'revision'],
  condition: { exists: true, equals: messageIndexKeys(message) },
});

/** Whether the message may have attached data. */
export const hasParts = ({ reactionsIn, submessagesIn, keptEdits = 0, uploads }: Message): boolean =>
  reactionsIn !== undefined || submessagesIn !== undefined || keptEdits > 0 || uploads !== undefined;

/**
 * Deletes the data attached to messages: reactions, submessages and earlier texts. Also removes them from the
 * files that they linked to.
 */
export async function forgetParts(services: Services, messages: MessageParts[]): Promise<void> {
  const { table } = services;
  if (messages.some(({ uploads }) => uploads)) {
    const { forgetNaming } = await import('#shared/actions/uploads/uploads.ts');
    await forgetNaming(services, messages);
  }
  for (const sign of ['reactionsIn', 'submessagesIn'] as const) {
    const beside = await listBeside(table, sign, messages, { consistent: true });
    await deleteItems(table, [...beside.values()].flat());
  }
  for (const { messageId } of messages) {
    const items = await table.list({ partition: messagePartitions.textsOf(messageId), consistent: true });
    await deleteItems(table, items);
  }
}

const deleteItems = (table: Table, items: Item[]): Promise<unknown> =>
  mapConcurrently(items, ({ pk, sk }) =>
    table.write({ kind: 'delete', key: { pk: String(pk), sk: String(sk) } }),
  );
