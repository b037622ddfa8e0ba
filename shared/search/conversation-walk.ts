import type { Message } from '#shared/domain/messages/message.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { listConversationSummaries } from '#shared/store/messages/conversations.ts';
import {
  parts,
  type Stretch,
  type WalkedPage,
  walkPartitions,
} from '#shared/store/messages/partition-walk.ts';
import type { Table } from '#shared/table/table.ts';

/** One conversation of the walk: the messages read so far, and how to read the others. */
interface Lane {
  pages: AsyncGenerator<WalkedPage>;
  waiting: Message[];
  /** The earliest position of the next message along the walk; undefined at the end. */
  next: number | undefined;
}

/**
 * Merges the messages of all direct conversations of a user, or of those with another user, along a stretch.
 * The summaries show which conversations have no messages there and, backwards, which one comes next, so only
 * contributing conversations are read.
 */
export async function* walkConversations(
  table: Table,
  userId: number,
  withUserId: number | undefined,
  stretch: Stretch,
): AsyncGenerator<WalkedPage> {
  const { from, to, isBackwards } = stretch;
  const summaries = await listConversationSummaries(table, userId);
  const lanes = summaries
    .filter((head) => head.maxMessageId >= from)
    .filter((head) => withUserId === undefined || head.userIds.includes(withUserId))
    .map(({ userIds, maxMessageId }): Lane => {
      const pages = walkPartitions(table, parts.conversation(userIds), stretch, () => 1);
      return { pages, waiting: [], next: isBackwards ? Math.min(maxMessageId, to) : from };
    });
  const start = isBackwards ? to : from;
  await mapConcurrently(
    lanes.filter(({ next }) => next === start),
    advance,
  );
  for (;;) {
    const lane = firstOf(lanes, isBackwards);
    if (!lane) return;
    const message = lane.waiting.shift();
    if (message) yield { messages: [message], examined: 1 };
    await advance(lane);
  }
}

/** The lane with the next message along the walk. */
function firstOf(lanes: Lane[], isBackwards: boolean): Lane | undefined {
  let first: Lane | undefined;
  for (const lane of lanes) {
    if (lane.next === undefined) continue;
    const isAhead =
      first?.next === undefined || (isBackwards ? lane.next > first.next : lane.next < first.next);
    if (isAhead) first = lane;
  }
  return first;
}

/** Loads the next message of a lane. */
async function advance(lane: Lane): Promise<void> {
  while (lane.waiting.length === 0) {
    const page = await lane.pages.next();
    if (page.done) {
      lane.next = undefined;
      return;
    }
    lane.waiting = page.value.messages;
  }
  lane.next = lane.waiting[0]?.messageId;
}
