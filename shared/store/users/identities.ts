import type { Message } from '#shared/domain/messages/message.ts';
import { type Identity, namedIn, readIdentities, withIdentities } from '#shared/domain/users/identity.ts';
import type { User } from '#shared/domain/users/user.ts';
import { asShownTo } from '#shared/domain/users/visible-users.ts';
import { findVisibleUsers, withBotsAmong } from '#shared/store/visibility/visible-users.ts';
import { identityChunkOf } from '#shared/table/keys/key.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';

/** The messages as the reader sees them: present names and pictures, without hidden users. */
export async function asShownToCaller<One extends Message>(
  table: Table,
  caller: User,
  messages: One[],
): Promise<One[]> {
  return asSeenBy(table, caller, await withCurrentIdentities(table, messages));
}

/** The messages with their stored names, without hidden users. No cost for members. */
export async function asSeenBy<One extends Message>(
  table: Table,
  reader: User,
  messages: One[],
): Promise<One[]> {
  const senders = messages.map(({ senderId }) => senderId).filter((userId) => userId !== reader.userId);
  if (senders.length === 0) return messages;
  const visibleUsers = await withBotsAmong(table, await findVisibleUsers(table, reader), senders);
  return messages.map((message) => asShownTo(message, visibleUsers));
}

/**
 * The messages with present names, addresses and pictures instead of the ones at sending. Reads one item for
 * every 256 users if one of them is named: half a unit each while few of them have changed.
 */
export async function withCurrentIdentities<One extends Message>(
  table: Table,
  messages: One[],
): Promise<One[]> {
  const chunks = new Set(messages.flatMap(namedIn).map(identityChunkOf));
  const items = await table.findMany([...chunks].map(userKeys.identities), { eventually: true });
  const identities = new Map<number, Identity>(items.flatMap(readIdentities));
  return identities.size === 0 ? messages : messages.map((message) => withIdentities(message, identities));
}
