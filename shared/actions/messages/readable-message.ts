import { BadRequest } from '#shared/domain/errors.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findReadableMessage } from '#shared/store/messages/messages.ts';

/** A message that the user may read; unreadable ones count as missing. @throws BadRequest */
export async function getReadableMessage({ table }: Services, user: User, messageId: number) {
  const readable = await findReadableMessage(table, user, messageId);
  if (!readable) throw new BadRequest('Invalid message(s)');
  return readable;
}

export type Readable = Awaited<ReturnType<typeof getReadableMessage>>;
