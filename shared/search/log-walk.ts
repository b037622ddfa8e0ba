import { readBlockSummary } from '#shared/domain/messages/block-summary.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { listBlockSummaries } from '#shared/store/log/block-summaries.ts';
import {
  behind,
  parts,
  type Stretch,
  type WalkedPage,
  walkPartitions,
} from '#shared/store/messages/partition-walk.ts';
import { blockOf, firstOfBlock, lastOfBlock } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';
import { walkPicked } from './picked-walk.ts';

/** Rules messages out by their place. */
export interface Sieve {
  /** Nothing matches below the returned position. */
  lowest(from: number, to: number): Promise<number>;
  /** The messages that may match. */
  keep(facts: MessageFacts[]): Promise<MessageFacts[]>;
}

/** After this many entries read in a row, block summaries are used; frequent matches are found before. */
const BEFORE_BLOCK_SUMMARIES = 200;
/** Reading a message on its own, or a block summary, costs as much as this many entries in a row. */
const COST_OF_ONE = 10;
const COST_OF_BLOCK_SUMMARY = 25;
const MAX_BLOCKS = 16;

/** The messages of the log along a stretch: all of them at first, then the messages that the sieve keeps. */
export async function* walkLog(
  table: Table,
  sieve: Sieve,
  stretch: Stretch,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  let left = stretch;
  let examined = 0;
  for await (const page of walkPartitions(table, parts.log(), stretch, missing)) {
    yield page;
    examined += page.examined;
    if (page.reached !== undefined) left = behind(left, page.reached);
    if (examined >= BEFORE_BLOCK_SUMMARIES) break;
  }
  if (examined < BEFORE_BLOCK_SUMMARIES || left.from > left.to) return;
  left = { ...left, from: await sieve.lowest(left.from, left.to) };
  for (let blocks = 1; left.from <= left.to; blocks = Math.min(MAX_BLOCKS, 2 * blocks)) {
    const part = partOf(left, blocks);
    yield* walkDigested(table, sieve, part, missing);
    left = behind(left, part.isBackwards ? part.from : part.to);
  }
}

/** The beginning of a stretch, limited to this many blocks. */
function partOf(stretch: Stretch, blocks: number): Stretch {
  const { from, to, isBackwards } = stretch;
  return isBackwards
    ? { ...stretch, from: Math.max(from, firstOfBlock(blockOf(to) - blocks + 1)) }
    : { ...stretch, to: Math.min(to, lastOfBlock(blockOf(from) + blocks - 1)) };
}

async function* walkDigested(
  table: Table,
  sieve: Sieve,
  { from, to, isBackwards }: Stretch,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  const blockSummaries = await listBlockSummaries(table, from, to, { consistent: true });
  const byBlock = new Map(blockSummaries.map((digest) => [blockOf(digest.to), digest]));
  const blocks = Array.from({ length: blockOf(to) - blockOf(from) + 1 }, (_, n) => blockOf(from) + n);
  for (const block of isBackwards ? blocks.reverse() : blocks) {
    const part = {
      from: Math.max(from, firstOfBlock(block)),
      to: Math.min(to, lastOfBlock(block)),
      isBackwards,
    };
    const digest = byBlock.get(block);
    const facts =
      digest && digest.to >= part.to ? readBlockSummary(digest).filter(isWithin(part)) : undefined;
    const kept = facts && (await sieve.keep(facts));
    if (!facts || !kept || kept.length * COST_OF_ONE > facts.length)
      yield* walkPartitions(table, parts.log(), part, missing);
    else yield* readKept(table, kept, part, missing);
  }
}

const isWithin =
  ({ from, to }: Stretch) =>
  ({ messageId }: MessageFacts): boolean =>
    from <= messageId && messageId <= to;

async function* readKept(
  table: Table,
  kept: MessageFacts[],
  { from, to, isBackwards }: Stretch,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  const ids = kept.map(({ messageId }) => messageId);
  yield* walkPicked(table, ids, { isBackwards, costOfOne: COST_OF_ONE }, missing);
  yield { messages: [], examined: COST_OF_BLOCK_SUMMARY, isSparse: true, reached: isBackwards ? from : to };
}
