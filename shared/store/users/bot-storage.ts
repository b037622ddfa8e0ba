import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { BotStorage } from '#shared/domain/users/bot-storage.ts';
import { botKeys } from '#shared/table/keys/bots.ts';
import type { Item, Table, Write } from '#shared/table/table.ts';

/** Fast, and still reduces texts to a third. */
const QUICK = { [constants.BROTLI_PARAM_QUALITY]: 4 };

/** The storage of an account and its revision. */
export interface KeptStorage {
  storage: BotStorage;
  revision: number;
}

/** The storage of an account. One read. */
export async function getBotStorage(table: Table, userId: number): Promise<KeptStorage> {
  const item = await table.find(botKeys.storage(userId));
  return { storage: unpackStorage(item), revision: Number(item?.revision ?? 0) };
}

/** The texts in an item; empty without an item. */
export const unpackStorage = (item: Item | undefined): BotStorage =>
  new Map(item ? JSON.parse(brotliDecompressSync(item.packed as Uint8Array).toString('utf8')) : []);

/** Replaces the storage on condition that it has not changed since it was loaded. */
export const storageWrite = (
  userId: number,
  { revision }: KeptStorage,
  next: BotStorage,
): Extract<Write, { kind: 'put' }> => ({
  kind: 'put',
  item: {
    ...botKeys.storage(userId),
    packed: brotliCompressSync(JSON.stringify([...next]), { params: QUICK }),
    revision: revision + 1,
  },
  condition: revision === 0 ? { exists: false } : { equals: { revision } },
});
