import type { Room } from '#shared/domain/room.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { roomKeys } from '#shared/table/keys/limits.ts';
import type { Table } from '#shared/table/table.ts';
import { listCustomEmoji } from '../emoji/custom-emoji.ts';
import { listScheduledOf } from '../scheduled-messages.ts';
import { listGroupGraph } from '../user-groups/group-graph.ts';

/** The number of scheduled messages and reminders of an account. One read; the first time all of them. */
export const readScheduledRoom = (table: Table, userId: number): Promise<Room> =>
  readCounted(table, roomKeys.scheduled(userId), async () => {
    const { messages, reminders } = await listScheduledOf(table, userId);
    return messages.length + reminders.length;
  });

/** The number of active custom groups. One read; the first time all groups. */
export const readGroupRoom = (table: Table): Promise<Room> =>
  readCounted(table, roomKeys.userGroups(), async () => {
    const { groups } = await listGroupGraph(table);
    return [...groups.values()].filter(({ isDeactivated }) => !isDeactivated).length;
  });

/** The number of active custom emoji. One read; the first time all emoji. */
export const readEmojiRoom = (table: Table): Promise<Room> =>
  readCounted(table, roomKeys.customEmoji(), async () => {
    const emoji = await listCustomEmoji(table);
    return emoji.filter(({ isDeactivated }) => !isDeactivated).length;
  });

/** The same for callers that only decrease the count and need not know it. One read. */
export async function findRoom(table: Table, key: Key): Promise<Room> {
  const item = await table.find(key);
  return { key, count: Number(item?.count ?? 0), isKept: item !== undefined };
}

async function readCounted(table: Table, key: Key, countAll: () => Promise<number>): Promise<Room> {
  const room = await findRoom(table, key);
  return room.isKept ? room : { ...room, count: await countAll() };
}
