import {
  type BlockSummary,
  type BlockSummaryChanges,
  changeOf,
  emptyBlockSummary,
  withChanges,
} from '#shared/domain/messages/block-summary.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import {
  blockOf,
  blockSortKey,
  endOfBlockSummary,
  firstOfBlock,
  logKeys,
  logPartitions,
} from '#shared/table/keys/log.ts';
import {
  ConditionFailed,
  type Item,
  type Table,
  TransactionCanceled,
  type Write,
} from '#shared/table/table.ts';

const toBlockSummary = ({ after, to, places, messages, otherSenders, mentions }: Item): BlockSummary =>
  ({
    ...{ after, to, places, messages },
    ...(otherSenders !== undefined && { otherSenders }),
    ...(mentions !== undefined && { mentions }),
  }) as BlockSummary;

const isBlockSummary = ({ messages }: Item): boolean => messages !== undefined;

/** The attribute of a changed message of the block. */
const CHANGED = 'm';
const toChanges = (item: Item | undefined): BlockSummaryChanges =>
  new Map(
    Object.entries(item ?? {}).flatMap(([name, value]) =>
      /^m\d+$/.test(name) ? [[Number(name.slice(CHANGED.length)), value as 'deleted']] : [],
    ),
  );

/** The stored block summary, without later changes. */
export async function getBlockSummary(table: Table, block: number): Promise<BlockSummary> {
  const item = await table.find(logKeys.blockSummary(block));
  return item ? toBlockSummary(item) : emptyBlockSummary(firstOfBlock(block) - 1);
}

/**
 * The block summaries for a range of positions, ascending. An eventually consistent one may end earlier or
 * lack changes.
 */
export async function listBlockSummaries(
  table: Table,
  from: number,
  to: number,
  { consistent = false } = {},
): Promise<BlockSummary[]> {
  const items = await table.list({
    partition: logPartitions.blockSummaries(),
    from: blockSortKey(blockOf(from)),
    to: endOfBlockSummary(blockOf(to)),
    consistent,
  });
  return toBlockSummaries(items);
}

/** The summaries of these blocks, unordered. */
export async function listBlockSummariesOf(table: Table, blocks: Set<number>): Promise<BlockSummary[]> {
  const items = await table.findMany(
    [...blocks].flatMap((block) => [logKeys.blockSummary(block), logKeys.blockSummaryChanges(block)]),
  );
  return toBlockSummaries(items);
}

function toBlockSummaries(items: Item[]): BlockSummary[] {
  const bySortKey = new Map(items.map((item) => [String(item.sk), item]));
  return items.filter(isBlockSummary).map((item) => {
    const digest = toBlockSummary(item);
    return withChanges(
      digest,
      toChanges(bySortKey.get(logKeys.blockSummaryChanges(blockOf(digest.after + 1)).sk)),
    );
  });
}

/** Stores a new version of a block summary; false when another writer has changed it in the meantime. */
export async function storeBlockSummary(
  table: Table,
  previous: BlockSummary,
  next: BlockSummary,
): Promise<boolean> {
  const isNew = previous.to === previous.after;
  try {
    await table.write({
      kind: 'put',
      item: { ...logKeys.blockSummary(blockOf(next.to)), ...next },
      condition: isNew ? { exists: false } : { equals: { to: previous.to, messages: previous.messages } },
    });
    return true;
  } catch (failure) {
    if (failure instanceof ConditionFailed) return false;
    throw failure;
  }
}

/** Writes that record changed places and deletions of messages in the block summaries. */
export function blockSummaryChangeWrites(changed: Message[], deleted: number[] = []): Write[] {
  const changes = [
    ...changed.map((message) => [message.messageId, changeOf(message)] as const),
    ...deleted.map((messageId) => [messageId, 'deleted'] as const),
  ];
  const byBlock = Map.groupBy(changes, ([messageId]) => blockOf(messageId));
  return [...byBlock].map(([block, group]) => ({
    kind: 'update',
    key: logKeys.blockSummaryChanges(block),
    set: Object.fromEntries(group.map(([messageId, change]) => [`${CHANGED}${messageId}`, change])),
    add: { revision: 1 },
  }));
}

/** Changes of a block are folded into its summary when there are this many. */
const CROWDED = 100;

/** Folds many changes into the block summaries, so that later ones cost less. Best effort. */
export async function foldBlockSummaryChanges(
  table: Table,
  messageIds: number[],
  token: string,
): Promise<void> {
  const blocks = [...new Set(messageIds.map(blockOf))];
  const items = await table.findMany(blocks.map(logKeys.blockSummaryChanges));
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
  { changes, revision, token }: { changes: BlockSummaryChanges; revision: number; token: string },
): Promise<void> {
  const digest = await getBlockSummary(table, block);
  const taken = [...changes.keys()].filter((messageId) => messageId <= digest.to);
  if (taken.length === 0) return;
  const next = withChanges(digest, changes);
  const writes: Write[] = [
    {
      kind: 'put',
      item: { ...logKeys.blockSummary(block), ...next },
      condition: { equals: { to: digest.to, messages: digest.messages } },
    },
    {
      kind: 'update',
      key: logKeys.blockSummaryChanges(block),
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
