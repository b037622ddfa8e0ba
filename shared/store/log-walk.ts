import { readDigest } from '#shared/domain/messages/digest.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { blockOf, firstOfBlock, lastOfBlock } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { listDigests } from './digests.ts';
import { behind, parts, type Stretch, type WalkedPage, walkPartitions } from './partition-walk.ts';
import { walkPicked } from './picked-walk.ts';

/** What tells by the place of a message that a search does not find it. */
export interface Sieve {
  /** Below the position that it gives nothing is found. */
  lowest(from: number, to: number): Promise<number>;
  /** The messages that may be found. */
  keep(facts: MessageFacts[]): Promise<MessageFacts[]>;
}

/** After so many entries that were read in a row digests are asked; what is common is found before. */
const BEFORE_DIGESTS = 200;
/** A message that is read alone, and the digest of a block, take as much as so many entries in a row. */
const COST_OF_ONE = 10;
const COST_OF_DIGEST = 25;
const MAX_BLOCKS = 16;

/** The messages of the log along a stretch: all for some way, and from then on those that a sieve keeps. */
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
    if (examined >= BEFORE_DIGESTS) break;
  }
  if (examined < BEFORE_DIGESTS || left.from > left.to) return;
  left = { ...left, from: await sieve.lowest(left.from, left.to) };
  for (let blocks = 1; left.from <= left.to; blocks = Math.min(MAX_BLOCKS, 2 * blocks)) {
    const part = partOf(left, blocks);
    yield* walkDigested(table, sieve, part, missing);
    left = behind(left, part.isBackwards ? part.from : part.to);
  }
}

/** The beginning of a stretch that lies in so many blocks of the log. */
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
  const digests = await listDigests(table, from, to, { consistent: true });
  const byBlock = new Map(digests.map((digest) => [blockOf(digest.to), digest]));
  const blocks = Array.from({ length: blockOf(to) - blockOf(from) + 1 }, (_, n) => blockOf(from) + n);
  for (const block of isBackwards ? blocks.reverse() : blocks) {
    const part = {
      from: Math.max(from, firstOfBlock(block)),
      to: Math.min(to, lastOfBlock(block)),
      isBackwards,
    };
    const digest = byBlock.get(block);
    const facts = digest && digest.to >= part.to ? readDigest(digest).filter(isWithin(part)) : undefined;
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
  yield { messages: [], examined: COST_OF_DIGEST, isSparse: true, reached: isBackwards ? from : to };
}
