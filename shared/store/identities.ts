import type { Message } from '#shared/domain/messages/message.ts';
import { type Identity, namedIn, readIdentities, withIdentities } from '#shared/domain/users/identity.ts';
import { identityChunkOf, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

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
