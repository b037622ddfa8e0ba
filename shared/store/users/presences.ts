import { presencesIn, type SeenPresence, seenIn } from '#shared/domain/presence/changes.ts';
import type { Presence } from '#shared/domain/presence/presence.ts';
import { presenceChunkOf } from '#shared/table/keys/key.ts';
import { userKeys, userPartitions } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';

/** A user's stored presence. One strongly consistent read. */
export const getSeenPresence = async (table: Table, userId: number): Promise<SeenPresence> =>
  seenIn(await table.find(userKeys.presences(presenceChunkOf(userId))), userId);

/** The stored presences of users; one read for every 32 consecutive ids. */
export async function listSeenPresences(table: Table, userIds: number[]): Promise<SeenPresence[]> {
  const chunks = [...new Set(userIds.map(presenceChunkOf))];
  const items = await table.findMany(chunks.map((chunk) => userKeys.presences(chunk)));
  const byKey = new Map(items.map((item) => [item.sk, item]));
  return userIds.map((userId) => seenIn(byKey.get(userKeys.presences(presenceChunkOf(userId)).sk), userId));
}

/** All presences except the ones of deactivated users, by user; about 26 bytes each. */
export async function listPresences(
  table: Table,
  { eventually }: { eventually: boolean },
): Promise<[userId: number, presence: Presence][]> {
  const items = await table.list({ partition: userPartitions.presences(), consistent: !eventually });
  return items.flatMap(presencesIn);
}

/** More items hold the presences of more than a thousand people. */
const FEW_ITEMS = 32;

/**
 * All presences if there are few, for at most four read units; otherwise undefined. Eventually consistent.
 */
export async function findFewPresences(
  table: Table,
): Promise<[userId: number, presence: Presence][] | undefined> {
  const { items, more } = await table.page({ partition: userPartitions.presences(), limit: FEW_ITEMS + 1 });
  return more || items.length > FEW_ITEMS ? undefined : items.flatMap(presencesIn);
}
