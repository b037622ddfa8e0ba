import type { Key } from '#shared/table/keys/key.ts';
import { tableDefinition } from '../definition.ts';
import type { Item, Write } from '../table.ts';
import { InvalidRequest } from './invalid-request.ts';

export const MAX_KEYS_PER_BATCH = 100;
const MAX_WRITES_PER_TRANSACTION = 100;
const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;
const MAX_KEY_BYTES = { partition: 2_048, sort: 1_024 };

const { partitionKey, sortKey, indexes } = tableDefinition;

export const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);

/** @throws InvalidRequest for an empty key, or one that is too long */
export function checkKey(key: Key): void {
  checkKeyText(key[partitionKey], MAX_KEY_BYTES.partition);
  checkKeyText(key[sortKey], MAX_KEY_BYTES.sort);
}

function checkKeyText(text: unknown, maxBytes: number): void {
  if (typeof text !== 'string' || text === '') throw new InvalidRequest('A key is a text, and never empty');
  // No character has more than three bytes in UTF-8 for one in UTF-16.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)
    throw new InvalidRequest(`A key has at most ${maxBytes} bytes`);
}

/** @throws InvalidRequest for an attribute that is no key of its index */
export function checkIndexKeys(item: Item): void {
  for (const index of indexes) {
    const partition = item[index.partitionKey];
    if (partition !== undefined) checkKeyText(partition, MAX_KEY_BYTES.partition);
    const sort = item[index.sortKey];
    if (sort === undefined) continue;
    if (index.sortKeyType === 'S') checkKeyText(sort, MAX_KEY_BYTES.sort);
    else if (typeof sort !== 'number') throw new InvalidRequest(`${index.sortKey} is a number`);
  }
}

/** @throws InvalidRequest for keys that occur twice, since DynamoDB rejects such a batch */
export function checkBatch(keys: Key[]): void {
  for (const key of keys) checkKey(key);
  if (new Set(keys.map(nameOf)).size < keys.length)
    throw new InvalidRequest('A batch may name an item only once');
}

/** @throws InvalidRequest for no writes, too many, or two of one item */
export function checkTransaction(writes: Write[]): void {
  if (writes.length === 0 || writes.length > MAX_WRITES_PER_TRANSACTION)
    throw new InvalidRequest(`A transaction has from 1 to ${MAX_WRITES_PER_TRANSACTION} writes`);
  if (new Set(writes.map((write) => nameOf(keyOf(write)))).size < writes.length)
    throw new InvalidRequest('A transaction may write an item only once');
}

/** @throws InvalidRequest if the items of a transaction are too large together */
export function checkTransactionBytes(bytes: number): void {
  if (bytes > MAX_TRANSACTION_BYTES) throw new InvalidRequest('A transaction has at most 4 MB');
}
