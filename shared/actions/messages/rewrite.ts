import { bare } from '#shared/domain/messages/editing/rewrite.ts';
import type { Message, StoredMessage } from '#shared/domain/messages/message.ts';
import { messageIndexKeys } from '#shared/store/log/log-entry.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import type { Write } from '#shared/table/table.ts';

/** Replaces a message in the log on condition that it has not changed since it was read. */
export function rewriteWrite(message: Message, next: StoredMessage): Write {
  const { revision = 0 } = message;
  const { echo: _echo, ...stored } = bare({ ...next, messageId: message.messageId });
  return {
    kind: 'update',
    key: logKeys.entry(message.messageId),
    set: { message: stored, ...messageIndexKeys(next), revision: revision + 1 },
    condition: {
      exists: true,
      equals: messageIndexKeys(message),
      belowOrAbsent: { revision: revision + 1 },
    },
  };
}
