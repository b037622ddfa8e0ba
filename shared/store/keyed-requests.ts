import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** What is kept of a request that its client may send again. */
export interface KeyedRequestItem {
  /** Of what was asked for. */
  digest: string;
  /** How often it was written. */
  steps: number;
  /** Sealed; absent until the request is done. */
  answer?: Uint8Array;
  /** Of a request that takes several transactions, until the last one. */
  progress?: Record<string, number | number[]>;
}

/** A request under a key of its caller's, unless its time is over. Reads one item. */
export async function findKeyedRequest(
  table: Table,
  { userId, key }: { userId: number; key: string },
  nowSeconds: number,
): Promise<KeyedRequestItem | undefined> {
  const item = (await table.find(keys.keyedRequest(userId, key))) as
    | (Item & KeyedRequestItem & { expiresAtSeconds: number })
    | undefined;
  return item && item.expiresAtSeconds >= nowSeconds ? item : undefined;
}
