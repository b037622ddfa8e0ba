import { idSortKey, type Key } from './key.ts';

const POSITIONS_PER_BLOCK = 1000;
const CHANGES = '#CHANGES';

/** The sort key of a position. */
export const positionSortKey = idSortKey;
/** The sort key of a block summary. */
export const blockSortKey = idSortKey;
/** The sort key after all items of a block summary. */
export const endOfBlockSummary = (block: number): string => `${blockSortKey(block)}${CHANGES}`;
export const positionOfSortKey = (sortKey: string): number => Number(sortKey);

/** The block of the log that holds a position, and the first and last position of a block. */
export const blockOf = (position: number): number => Math.floor(position / POSITIONS_PER_BLOCK);
export const lastOfBlock = (block: number): number => (block + 1) * POSITIONS_PER_BLOCK - 1;
export const firstOfBlock = (block: number): number => block * POSITIONS_PER_BLOCK;

/**
 * A user's marks are stored in blocks of seven log blocks: one bit per position makes 875 bytes, so that an
 * item with its key stays below 1 KB, the write unit.
 */
const LOG_BLOCKS_PER_MARK_BLOCK = 7;
const POSITIONS_PER_MARK_BLOCK = LOG_BLOCKS_PER_MARK_BLOCK * POSITIONS_PER_BLOCK;

/** The block of a user's marks that holds a position, and the first and last position of such a block. */
export const markBlockOf = (position: number): number => Math.floor(position / POSITIONS_PER_MARK_BLOCK);
export const firstOfMarkBlock = (block: number): number => block * POSITIONS_PER_MARK_BLOCK;
export const lastOfMarkBlock = (block: number): number => (block + 1) * POSITIONS_PER_MARK_BLOCK - 1;

export const logPartitions = {
  block: (block: number) => `LOG#${String(block).padStart(7, '0')}`,
  blockSummaries: () => 'DIGEST',
};

export const logKeys = {
  entry: (position: number): Key => ({
    pk: logPartitions.block(blockOf(position)),
    sk: positionSortKey(position),
  }),
  lowWaterMark: (): Key => ({ pk: 'FRONTIER', sk: 'FRONTIER' }),
  blockSummary: (block: number): Key => ({ pk: logPartitions.blockSummaries(), sk: blockSortKey(block) }),
  /** Changes of a block's messages since its summary; sorts after the summary. */
  blockSummaryChanges: (block: number): Key => ({
    pk: logPartitions.blockSummaries(),
    sk: endOfBlockSummary(block),
  }),
  /** A list of users under a name derived from its content. */
  recipientSet: (name: string): Key => ({ pk: `ROSTER#${name}`, sk: 'ROSTER' }),
  lastRewriting: (): Key => ({ pk: 'ORGANIZATION', sk: 'MESSAGES_REWRITTEN' }),
};
