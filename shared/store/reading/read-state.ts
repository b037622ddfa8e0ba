import { bitsOf, emptyBitmap } from '#shared/domain/reading/bitmap.ts';
import {
  flaggedBlocksIn,
  type MarkBlock,
  Marks,
  type RareFlag,
  type ReadState,
  rareFlags,
} from '#shared/domain/reading/marks.ts';
import { blockSortKey, firstOfMarkBlock, markBlockOf } from '#shared/table/keys/log.ts';
import { userKeys, userPartitions, userPrefixes } from '#shared/table/keys/users.ts';
import { type Item, type Table, unlessChanged } from '#shared/table/table.ts';

const numbersOf = (item: Item | undefined, attribute: string): Set<number> =>
  (item?.[attribute] as Set<number> | undefined) ?? new Set();

/** Blocks of marks that are read together with the read state at no extra cost: the total is below 4 KB. */
const NEWEST_BLOCKS = 2;

/** The read state with the newest blocks of marks. Usually one strongly consistent read unit. */
export async function openMarks(table: Table, userId: number): Promise<Marks> {
  const { items, more } = await table.page({
    partition: userPartitions.user(userId),
    prefix: userPrefixes.marks,
    backwards: true,
    limit: 1 + NEWEST_BLOCKS,
    consistent: true,
  });
  const blocks = items.filter(({ block }) => block !== undefined).map(toMarkBlock);
  const marks = new Marks(toReadState(items.find(({ block }) => block === undefined)));
  for (const block of blocks) marks.addBlock(block);
  marks.knowFrom(more ? (blocks.at(-1)?.block ?? Number.POSITIVE_INFINITY) : 0);
  return marks;
}

export const toReadState = (item: Item | undefined): ReadState => ({
  floor: Number(item?.floor ?? 0),
  revision: Number(item?.revision ?? 0),
  markedAllAt: Number(item?.markedAllAt ?? 0),
  unreadBlocks: numbersOf(item, 'unreadBlocks'),
  starredBlocks: numbersOf(item, 'starredBlocks'),
  collapsedBlocks: numbersOf(item, 'collapsedBlocks'),
  hiddenPreviewBlocks: numbersOf(item, 'hiddenPreviewBlocks'),
});

/**
 * Loads the marks that decide about the flags of these messages: one or two blocks above the floor, usually
 * none below.
 */
export async function loadMarks(
  table: Table,
  userId: number,
  marks: Marks,
  messageIds: number[],
): Promise<void> {
  const blocks = new Set(messageIds.map(markBlockOf));
  const deciding = messageIds.filter((id) => marks.decidesOn(id)).map(markBlockOf);
  await Promise.all([
    loadMarkBlocks(table, userId, marks, deciding),
    ...rareFlags.map((flag) => {
      const having = marks.state[flaggedBlocksIn[flag]];
      return loadFlaggedBlocks(
        table,
        userId,
        marks,
        flag,
        [...blocks].filter((block) => having.has(block)),
      );
    }),
  ]);
}

/** Loads missing blocks of marks. */
export async function loadMarkBlocks(
  table: Table,
  userId: number,
  marks: Marks,
  blocks: number[],
): Promise<void> {
  const missing = [...new Set(blocks)].filter((block) => !marks.hasBlock(block));
  const items = await table.findMany(missing.map((block) => userKeys.marks(userId, block)));
  for (const item of items) marks.addBlock(toMarkBlock(item));
}

/** Loads missing blocks of marks between two positions. */
export async function loadMarksBetween(
  table: Table,
  userId: number,
  marks: Marks,
  from: number,
  to: number,
): Promise<void> {
  if (from > to || marks.isKnownFrom(markBlockOf(from))) return;
  const items = await table.list({
    partition: userPartitions.user(userId),
    from: `${userPrefixes.marks}${blockSortKey(markBlockOf(from))}`,
    to: `${userPrefixes.marks}${blockSortKey(markBlockOf(to))}`,
    consistent: true,
  });
  for (const item of items) marks.addBlock(toMarkBlock(item));
}

export const toMarkBlock = (item: Item): MarkBlock => ({
  block: Number(item.block),
  revision: Number(item.revision),
  markedAllAt: Number(item.markedAllAt),
  writtenAt: Number(item.writtenAt ?? 0),
  unawareAt: Number(item.unawareAt ?? 0),
  read: (item.read as Uint8Array | undefined) ?? emptyBitmap,
  unread: (item.unread as Uint8Array | undefined) ?? emptyBitmap,
});

/** Loads missing blocks of messages with a rare flag. */
export async function loadFlaggedBlocks(
  table: Table,
  userId: number,
  marks: Marks,
  flag: RareFlag,
  blocks: number[],
): Promise<void> {
  const missing = [...new Set(blocks)].filter((block) => !marks.hasFlagged(flag, block));
  const items = await table.findMany(missing.map((block) => userKeys.flagged(userId, flag, block)));
  for (const item of items)
    marks.addFlagged(flag, {
      block: Number(item.block),
      revision: Number(item.revision),
      ids: numbersOf(item, 'ids'),
    });
}

/** All starred messages of a user, ascending. Reads nothing when there are none. */
export async function listStarredIds(table: Table, userId: number, { state }: Marks): Promise<number[]> {
  if (state.starredBlocks.size === 0) return [];
  const items = await table.list({
    partition: userPartitions.user(userId),
    prefix: userPrefixes.starred,
    consistent: true,
  });
  return items.flatMap((item) => [...numbersOf(item, 'ids')]).sort((a, b) => a - b);
}

/** The complete read state from all its items: the floor, and the messages that differ from it. */
export function toMarkedIds(items: Item[]): { readThrough: number; read: number[]; unread: number[] } {
  const marks = new Marks(toReadState(items.find(({ block }) => block === undefined)));
  const blocks = items.filter(({ block }) => block !== undefined).map(toMarkBlock);
  for (const block of blocks) marks.addBlock(block);
  const idsOf = (kind: 'read' | 'unread'): number[] =>
    blocks.flatMap(({ block }) =>
      bitsOf(marks.blockOf(block)[kind]).map((index) => firstOfMarkBlock(block) + index),
    );
  const { floor } = marks.state;
  return { readThrough: floor, read: idsOf('read').filter((id) => id > floor), unread: idsOf('unread') };
}

/** Raises the floor over messages that are all read, so that later requests skip them. */
export async function raiseFloor(table: Table, userId: number, floor: number): Promise<void> {
  await unlessChanged(() =>
    table.write({
      kind: 'update',
      key: userKeys.readState(userId),
      set: { floor },
      condition: { belowOrAbsent: { floor } },
    }),
  );
}
