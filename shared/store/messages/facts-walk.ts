import { type BlockSummary, readBlockSummary } from '#shared/domain/messages/block-summary.ts';
import type { Message, MessageFacts } from '#shared/domain/messages/message.ts';
import { listBlockSummaries } from '#shared/store/log/block-summaries.ts';
import { listLogged } from '#shared/store/log/log.ts';
import { blockOf, firstOfBlock, lastOfBlock } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';

/** The messages of a range of the log, newest first. */
export interface FactsPage {
  facts: MessageFacts[];
  /** The first position of the range. */
  from: number;
  /** The cost of reading it, in short log entries: a tenth of a read unit each. */
  cost: number;
}

/** A block summary costs as much as this many log entries. */
export const COST_OF_BLOCK_SUMMARY = 25;
const MAX_BLOCKS = 16;
/** Long texts are read in small pages, so that a walk can end early. */
const FEW_ENTRIES = 10;
const MANY_ENTRIES = 100;
/** The characters of a text that cost as much as a short entry. */
const CHARACTERS_PER_ENTRY = 500;

interface How {
  /** Without it, messages that were moved in the last seconds may be at their earlier place. */
  consistent: boolean;
}

/**
 * Walks all messages from a position back to the first: the end of the log by its entries, and older blocks by
 * their summaries.
 */
export async function* walkFacts(table: Table, upTo: number, how: How): AsyncGenerator<FactsPage> {
  let to = upTo;
  for (let blocks = 1; to > 0; blocks = Math.min(MAX_BLOCKS, 2 * blocks)) {
    const lowest = Math.max(0, blockOf(to) - blocks + 1);
    const summaries = await listBlockSummaries(table, firstOfBlock(lowest), to, how);
    const byBlock = new Map(summaries.map((summary) => [blockOf(summary.to), summary]));
    for (let block = blockOf(to); block >= lowest; block--)
      yield* walkBlock(table, byBlock.get(block), { from: firstOfBlock(block), to }, how);
    to = firstOfBlock(lowest) - 1;
  }
}

async function* walkBlock(
  table: Table,
  summary: BlockSummary | undefined,
  range: { from: number; to: number },
  how: How,
): AsyncGenerator<FactsPage> {
  const to = Math.min(range.to, lastOfBlock(blockOf(range.from)));
  const summarized = summary?.to ?? range.from - 1;
  for (let end = to, count = FEW_ENTRIES; end > summarized; ) {
    const from = Math.max(summarized + 1, end - count + 1);
    const facts = await listNewest(table, from, end, { ...how, isEnd: end === to });
    const cost = Math.max(end - from + 1, costOf(facts));
    yield { facts, from, cost };
    end = from - 1;
    count = cost > MANY_ENTRIES ? FEW_ENTRIES : MANY_ENTRIES;
  }
  if (!summary) return;
  const facts = readBlockSummary(summary).filter(({ messageId }) => messageId <= to);
  yield { facts: facts.reverse(), from: range.from, cost: COST_OF_BLOCK_SUMMARY };
}

const costOf = (messages: Message[]): number =>
  messages.reduce((sum, { content, html }) => sum + content.length + html.length, 0) / CHARACTERS_PER_ENTRY;

/** The newest entries are read strongly; older ones only if the replica lacks one. */
async function listNewest(
  table: Table,
  from: number,
  to: number,
  { consistent, isEnd }: How & { isEnd: boolean },
) {
  const eventual = consistent || isEnd ? undefined : await listLogged(table, from, to, { eventually: true });
  const isComplete = eventual !== undefined && eventual.length > to - from;
  const entries = isComplete ? eventual : await listLogged(table, from, to);
  return entries
    .flatMap(({ position, message }) => (message ? [{ ...message, messageId: position }] : []))
    .reverse();
}
