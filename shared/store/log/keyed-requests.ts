import { limitKeys } from '#shared/table/keys/limits.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** The stored state of a request that its client may repeat. */
export interface KeyedRequestItem {
  /** The digest of the request. */
  digest: string;
  /** Counts the writes. */
  steps: number;
  /** Encrypted; absent until the request is done. */
  answer?: Uint8Array;
  /** For requests of several transactions, until the last one. */
  progress?: Record<string, number | number[]>;
}

/** The request with a caller's key, unless it has expired. Reads one item. */
export async function findKeyedRequest(
  table: Table,
  { userId, key }: { userId: number; key: string },
  nowSeconds: number,
): Promise<KeyedRequestItem | undefined> {
  const item = (await table.find(limitKeys.keyedRequest(userId, key))) as
    | (Item & KeyedRequestItem & { expiresAtSeconds: number })
    | undefined;
  return item && item.expiresAtSeconds >= nowSeconds ? item : undefined;
}
