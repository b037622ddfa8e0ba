import {
  changeOf,
  type Digest,
  type DigestChanges,
  emptyDigest,
  withChanges,
} from '#shared/domain/messages/digest.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { blockOf, blockSortKey, endOfDigest, firstOfBlock, keys, partitions } from '#shared/table/keys.ts';
import {
  ConditionFailed,
  type Item,
  type Table,
  TransactionCanceled,
  type Write,
} from '#shared/table/table.ts';

const toDigest = ({ after, to, places, messages, mentions }: Item): Digest =>
  ({ after, to, places, messages, ...(mentions !== undefined && { mentions }) }) as Digest;

const isDigest = ({ messages }: Item): boolean => messages !== undefined;

/** Each message of the block that changed since has an attribute. */
const CHANGED = 'm';
const toChanges = (item: Item | undefined): DigestChanges =>
  new Map(
    Object.entries(item ?? {}).flatMap(([name, value]) =>
      /^m\d+$/.test(name) ? [[Number(name.slice(CHANGED.length)), value as 'deleted']] : [],
    ),
  );

/** The digest of a block as far as it goes, as it was written: without what changed since. */
export async function getDigest(table: Table, block: number): Promise<Digest> {
  const item = await table.find(keys.digest(block));
  return item ? toDigest(item) : emptyDigest(firstOfBlock(block) - 1);
}

/** The digests of the blocks that hold a range of positions, ascending. A stale one may end earlier, or lack changes. */
export async function listDigests(
  table: Table,
  from: number,
  to: number,
  { consistent = false } = {},
): Promise<Digest[]> {
  const items = await table.list({
    partition: partitions.digests(),
    from: blockSortKey(blockOf(from)),
    to: endOfDigest(blockOf(to)),
    consistent,
  });
  return toDigests(items);
}

/** The digests of these blocks, in no particular order. */
export async function listDigestsOf(table: Table, blocks: Set<number>): Promise<Digest[]> {
  const items = await table.findMany(
    [...blocks].flatMap((block) => [keys.digest(block), keys.digestChanges(block)]),
  );
  return toDigests(items);
}

function toDigests(items: Item[]): Digest[] {
  const bySortKey = new Map(items.map((item) => [String(item.sk), item]));
  return items.filter(isDigest).map((item) => {
    const digest = toDigest(item);
    return withChanges(digest, toChanges(bySortKey.get(keys.digestChanges(blockOf(digest.after + 1)).sk)));
  });
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

/** The writes by which digests tell what became of messages: their new places, or that they were deleted. */
export function digestChangeWrites(changed: Message[], deleted: number[] = []): Write[] {
  const changes = [
    ...changed.map((message) => [message.messageId, changeOf(message)] as const),
    ...deleted.map((messageId) => [messageId, 'deleted'] as const),
  ];
  const byBlock = Map.groupBy(changes, ([messageId]) => blockOf(messageId));
  return [...byBlock].map(([block, group]) => ({
    kind: 'update',
    key: keys.digestChanges(block),
    set: Object.fromEntries(group.map(([messageId, change]) => [`${CHANGED}${messageId}`, change])),
    add: { revision: 1 },
  }));
}

/** From so many changes of a block on they are taken into its digest. */
const CROWDED = 100;

/** Takes many changes into the digests of their blocks, so that the next ones cost little. Best effort. */
export async function foldDigestChanges(table: Table, messageIds: number[], token: string): Promise<void> {
  const blocks = [...new Set(messageIds.map(blockOf))];
  const items = await table.findMany(blocks.map(keys.digestChanges));
  for (const item of items) {
    const changes = toChanges(item);
    if (changes.size < CROWDED) continue;
    const block = Number(String(item.sk).slice(0, blockSortKey(0).length));
    await fold(table, block, { changes, revision: Number(item.revision), token: `${token}-${block}` });
  }
}

async function fold(
  table: Table,
  block: number,
  { changes, revision, token }: { changes: DigestChanges; revision: number; token: string },
): Promise<void> {
  const digest = await getDigest(table, block);
  const taken = [...changes.keys()].filter((messageId) => messageId <= digest.to);
  if (taken.length === 0) return;
  const next = withChanges(digest, changes);
  const writes: Write[] = [
    {
      kind: 'put',
      item: { ...keys.digest(block), ...next },
      condition: { equals: { to: digest.to, messages: digest.messages } },
    },
    {
      kind: 'update',
      key: keys.digestChanges(block),
      remove: taken.map((messageId) => `${CHANGED}${messageId}`),
      add: { revision: 1 },
      condition: { equals: { revision } },
    },
  ];
  try {
    await table.transact(writes, token);
  } catch (failure) {
    if (!(failure instanceof TransactionCanceled)) throw failure;
  }
}
