import { type Digest, emptyDigest } from '#shared/domain/messages/digest.ts';
import { blockOf, blockSortKey, firstOfBlock, keys, partitions } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, type Table } from '#shared/table/table.ts';

const toDigest = ({ after, to, places, messages }: Item): Digest =>
  ({ after, to, places, messages }) as Digest;

/** The digest of a block as far as it goes. */
export async function getDigest(table: Table, block: number): Promise<Digest> {
  const item = await table.find(keys.digest(block));
  return item ? toDigest(item) : emptyDigest(firstOfBlock(block) - 1);
}

/** The digests of the blocks that hold a range of positions, ascending. A stale one only ends earlier. */
export async function listDigests(table: Table, from: number, to: number): Promise<Digest[]> {
  const items = await table.list({
    partition: partitions.digests(),
    from: blockSortKey(blockOf(from)),
    to: blockSortKey(blockOf(to)),
  });
  return items.map(toDigest);
}

/** The digests of these blocks, in no particular order. */
export async function listDigestsOf(table: Table, blocks: Set<number>): Promise<Digest[]> {
  const items = await table.findMany([...blocks].map(keys.digest));
  return items.map(toDigest);
}

/** Stores what a digest has become; false when someone else has changed it meanwhile. */
export async function storeDigest(table: Table, previous: Digest, next: Digest): Promise<boolean> {
  const isNew = previous.to === previous.after;
  try {
    await table.write({
      kind: 'put',
      item: { ...keys.digest(blockOf(next.to)), ...next },
      condition: isNew ? { exists: false } : { equals: { to: previous.to, messages: previous.messages } },
    });
    return true;
  } catch (failure) {
    if (failure instanceof ConditionFailed) return false;
    throw failure;
  }
}
