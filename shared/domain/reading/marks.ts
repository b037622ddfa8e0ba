import { firstOfMarkBlock, markBlockOf } from '#shared/table/keys/log.ts';
import { type Bitmap, bitsOf, emptyBitmap, hasBit } from './bitmap.ts';

/** The root of a user's read state; it is loaded first. */
export interface ReadState {
  /** Messages up to here are read unless they were marked as unread later. */
  floor: number;
  /** Counts changes that must not be overtaken by others. */
  revision: number;
  /** The position of the last "mark all as read". Earlier marks as unread are void. */
  markedAllAt: number;
  /** Blocks with messages marked as unread. */
  unreadBlocks: Set<number>;
  /** Blocks with messages that are starred, collapsed or shown without previews. */
  starredBlocks: Set<number>;
  collapsedBlocks: Set<number>;
  hiddenPreviewBlocks: Set<number>;
}

/** The marks of a block, by distance from its first position. */
export interface MarkBlock {
  block: number;
  revision: number;
  /** The user's `markedAllAt` when the block was written, as far as the writer knew. */
  markedAllAt: number;
  /** The position of the last write; absent if an earlier version wrote the block. */
  writtenAt?: number;
  /** The position of the last write by a writer who did not know of an earlier "mark all as read"; absent for none. */
  unawareAt?: number;
  read: Bitmap;
  unread: Bitmap;
}

const emptyBlock = { revision: 0, markedAllAt: 0, read: emptyBitmap, unread: emptyBitmap };

/** The position at which a block was written without knowledge of a "mark all as read"; 0 if it was not. */
const unawareOf = ({ markedAllAt, writtenAt = 0, unawareAt = 0 }: MarkBlock, position: number): number =>
  markedAllAt < position && position < writtenAt ? writtenAt : unawareAt;

export const rareFlags = ['starred', 'collapsed', 'hide_link_previews'] as const;
export type RareFlag = (typeof rareFlags)[number];

/** The part of the read state that names the blocks of a flag. */
export const flaggedBlocksIn = {
  starred: 'starredBlocks',
  collapsed: 'collapsedBlocks',
  hide_link_previews: 'hiddenPreviewBlocks',
} as const satisfies Record<RareFlag, keyof ReadState>;

/** The messages of a block with a rare flag. */
export interface FlaggedBlock {
  block: number;
  revision: number;
  ids: Set<number>;
}

/**
 * The loaded marks of a user. The defaults decide everything else: messages are read up to the floor and
 * unread above it.
 */
export class Marks {
  readonly state: ReadState;
  readonly #blocks = new Map<number, MarkBlock>();
  readonly #flagged = {
    starred: new Map<number, FlaggedBlock>(),
    collapsed: new Map<number, FlaggedBlock>(),
    hide_link_previews: new Map<number, FlaggedBlock>(),
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

  /** Declares that all existing blocks from here on have been added. */
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

  /** A block without void marks. */
  blockOf(block: number): MarkBlock {
    const { markedAllAt } = this.state;
    const found = this.#blocks.get(block) ?? { ...emptyBlock, block };
    // A block that was read after the state may be newer.
    if (found.markedAllAt >= markedAllAt) return found;
    return { ...found, markedAllAt, unawareAt: unawareOf(found, markedAllAt), unread: emptyBitmap };
  }

  flaggedOf(flag: RareFlag, block: number): FlaggedBlock {
    return this.#flagged[flag].get(block) ?? { block, revision: 0, ids: new Set() };
  }

  isMarkedRead(messageId: number): boolean {
    return this.#isMarked('read', messageId);
  }

  isMarkedUnread(messageId: number): boolean {
    return this.#isMarked('unread', messageId);
  }

  /**
   * Whether the message was marked as read before a "mark all as read" at a position. False if that is uncertain: a
   * call at the same time may have added marks later.
   */
  wasMarkedRead(messageId: number, position: number): boolean {
    const block = this.blockOf(markBlockOf(messageId));
    return unawareOf(block, position) <= position && this.isMarkedRead(messageId);
  }

  /** Most blocks have no marks, and most callers look up many messages. */
  #isMarked(kind: 'read' | 'unread', messageId: number): boolean {
    const block = markBlockOf(messageId);
    return this.#blocks.has(block) && hasBit(this.blockOf(block)[kind], indexInBlock(messageId));
  }

  has(flag: RareFlag, messageId: number): boolean {
    return this.flaggedOf(flag, markBlockOf(messageId)).ids.has(messageId);
  }

  /** The messages marked as unread in the loaded blocks, ascending. */
  listMarkedUnread(): number[] {
    return [...this.state.unreadBlocks]
      .sort((a, b) => a - b)
      .flatMap((block) => bitsOf(this.blockOf(block).unread).map((index) => firstOfMarkBlock(block) + index));
  }

  /** No unread message is below this position. */
  get lowestUnread(): number {
    const lowestBlock = Math.min(...this.state.unreadBlocks);
    return Math.min(
      this.state.floor + 1,
      Number.isFinite(lowestBlock) ? firstOfMarkBlock(lowestBlock) : Infinity,
    );
  }

  /** Whether the block has a mark for the message. */
  decidesOn(messageId: number): boolean {
    return messageId > this.state.floor || this.state.unreadBlocks.has(markBlockOf(messageId));
  }
}

/** The marks of a user who has read everything up to a position and marked nothing. */
export const readUpTo = (floor: number): Marks =>
  new Marks({
    floor,
    revision: 0,
    markedAllAt: 0,
    unreadBlocks: new Set(),
    starredBlocks: new Set(),
    collapsedBlocks: new Set(),
    hiddenPreviewBlocks: new Set(),
  });

export const indexInBlock = (messageId: number): number =>
  messageId - firstOfMarkBlock(markBlockOf(messageId));
