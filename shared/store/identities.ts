import type { Message } from '#shared/domain/messages/message.ts';
import { type Identity, namedIn, readIdentities, withIdentities } from '#shared/domain/users/identity.ts';
import { asShownTo } from '#shared/domain/users/sight.ts';
import type { User } from '#shared/domain/users/user.ts';
import { identityChunkOf } from '#shared/table/chunks.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { findSight, withBotsAmong } from './sight.ts';

/** The messages as a reader gets them: with the names and pictures of now, as far as they see the people. */
export async function asShownToCaller<One extends Message>(
  table: Table,
  caller: User,
  messages: One[],
): Promise<One[]> {
  return asSeenBy(table, caller, await withCurrentIdentities(table, messages));
}

/** The messages with the names that they have, as far as a reader sees the people. Costs members nothing. */
export async function asSeenBy<One extends Message>(
  table: Table,
  reader: User,
  messages: One[],
): Promise<One[]> {
  const senders = messages.map(({ senderId }) => senderId).filter((userId) => userId !== reader.userId);
  if (senders.length === 0) return messages;
  const sight = await withBotsAmong(table, await findSight(table, reader), senders);
  return messages.map((message) => asShownTo(message, sight));
}

/**
 * The messages with the names, addresses and pictures of now instead of those of sending. Reads one item for every 256
 * users among whom somebody is named: half a unit each while few of them changed anything.
 */
export async function withCurrentIdentities<One extends Message>(
  table: Table,
  messages: One[],
): Promise<One[]> {
  const chunks = new Set(messages.flatMap(namedIn).map(identityChunkOf));
  const items = await table.findMany([...chunks].map(keys.identities), { eventually: true });
  const identities = new Map<number, Identity>(items.flatMap(readIdentities));
  return identities.size === 0 ? messages : messages.map((message) => withIdentities(message, identities));
}
