import { firstOfMarkBlock, markBlockOf } from '#shared/table/keys.ts';
import { type Bitmap, bitsOf, emptyBitmap, hasBit } from './bitmap.ts';

/** What is to be known first of what a user has read and marked. */
export interface ReadState {
  /** Messages up to here are read, unless they were marked as unread since. */
  floor: number;
  /** Counts the changes that other changes must not overtake. */
  revision: number;
  /** Where everything was marked as read the last time. Marks as unread from before are void. */
  markedAllAt: number;
  /** Blocks in which messages are marked as unread. */
  unreadBlocks: Set<number>;
  /** Blocks in which messages are starred or collapsed. */
  starredBlocks: Set<number>;
  collapsedBlocks: Set<number>;
}

/** What was marked in a block, by the distance from its first position. */
export interface MarkBlock {
  block: number;
  revision: number;
  /** The user's `markedAllAt` when the block was written. */
  markedAllAt: number;
  read: Bitmap;
  unread: Bitmap;
}

const emptyBlock = { revision: 0, markedAllAt: 0, read: emptyBitmap, unread: emptyBitmap };

export const rareFlags = ['starred', 'collapsed'] as const;
export type RareFlag = (typeof rareFlags)[number];

/** The messages of a block that have a rare flag. */
export interface FlaggedBlock {
  block: number;
  revision: number;
  ids: Set<number>;
}

/**
 * What a user has marked, as far as it was loaded. Everything else follows from defaults: messages are read up to
 * the floor and unread above.
 */
export class Marks {
  readonly state: ReadState;
  readonly #blocks = new Map<number, MarkBlock>();
  readonly #flagged = {
    starred: new Map<number, FlaggedBlock>(),
    collapsed: new Map<number, FlaggedBlock>(),
  };

  #knownFrom = Number.POSITIVE_INFINITY;

  constructor(state: ReadState) {
    this.state = state;
  }

  addBlock(block: MarkBlock): void {
    this.#blocks.set(block.block, block);
  }

  addFlagged(flag: RareFlag, block: FlaggedBlock): void {
    this.#flagged[flag].set(block.block, block);
  }

  /** No block from here on exists that was not added. */
  knowFrom(block: number): void {
    this.#knownFrom = block;
  }

  isKnownFrom(block: number): boolean {
    return block >= this.#knownFrom;
  }

  hasBlock(block: number): boolean {
    return this.isKnownFrom(block) || this.#blocks.has(block);
  }

  hasFlagged(flag: RareFlag, block: number): boolean {
    return this.#flagged[flag].has(block);
  }

  /** A block as it is in force: without marks as unread that are void. */
  blockOf(block: number): MarkBlock {
    const { markedAllAt } = this.state;
    const found = this.#blocks.get(block) ?? { ...emptyBlock, block };
    // A block that was read after the state may be newer than it.
    return found.markedAllAt >= markedAllAt ? found : { ...found, markedAllAt, unread: emptyBitmap };
  }

  flaggedOf(flag: RareFlag, block: number): FlaggedBlock {
    return this.#flagged[flag].get(block) ?? { block, revision: 0, ids: new Set() };
  }

  isMarkedRead(messageId: number): boolean {
    return hasBit(this.blockOf(markBlockOf(messageId)).read, indexInBlock(messageId));
  }

  isMarkedUnread(messageId: number): boolean {
    return hasBit(this.blockOf(markBlockOf(messageId)).unread, indexInBlock(messageId));
  }

  has(flag: RareFlag, messageId: number): boolean {
    return this.flaggedOf(flag, markBlockOf(messageId)).ids.has(messageId);
  }

  /** The messages of the loaded blocks that are marked as unread, ascending. */
  listMarkedUnread(): number[] {
    return [...this.state.unreadBlocks]
      .sort((a, b) => a - b)
      .flatMap((block) => bitsOf(this.blockOf(block).unread).map((index) => firstOfMarkBlock(block) + index));
  }

  /** Every unread message is at this position or later. */
  get lowestUnread(): number {
    const lowestBlock = Math.min(...this.state.unreadBlocks);
    return Math.min(
      this.state.floor + 1,
      Number.isFinite(lowestBlock) ? firstOfMarkBlock(lowestBlock) : Infinity,
    );
  }

  /** Whether the marks of a block decide about a message. */
  decidesOn(messageId: number): boolean {
    return messageId > this.state.floor || this.state.unreadBlocks.has(markBlockOf(messageId));
  }
}

/** Marks of somebody who has read everything up to a position and marked nothing. */
export const readUpTo = (floor: number): Marks =>
  new Marks({
    floor,
    revision: 0,
    markedAllAt: 0,
    unreadBlocks: new Set(),
    starredBlocks: new Set(),
    collapsedBlocks: new Set(),
  });

export const indexInBlock = (messageId: number): number =>
  messageId - firstOfMarkBlock(markBlockOf(messageId));
