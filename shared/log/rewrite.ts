import type { Message, StoredMessage } from '#shared/domain/messages/message.ts';
import { bare } from '#shared/domain/messages/rewrite.ts';
import { messageIndexKeys } from '#shared/store/log-entry.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';

/** Puts what a message has become into its place in the log, if nobody changed it since it was read. */
export function rewriteWrite(message: Message, next: StoredMessage): Write {
  const { revision = 0 } = message;
  const { echo: _echo, ...stored } = bare({ ...next, messageId: message.messageId });
  return {
    kind: 'update',
    key: keys.logEntry(message.messageId),
    set: { message: stored, ...messageIndexKeys(next), revision: revision + 1 },
    condition: {
      exists: true,
      equals: messageIndexKeys(message),
      belowOrAbsent: { revision: revision + 1 },
    },
  };
}
