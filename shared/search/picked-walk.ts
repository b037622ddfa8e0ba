import { listMessagesById } from '#shared/store/messages/messages.ts';
import type { WalkedPage } from '#shared/store/messages/partition-walk.ts';
import type { Table } from '#shared/table/table.ts';

const MIN_PAGE = 10;
const MAX_PAGE = 100;

interface Picking {
  isBackwards: boolean;
  /** Reading a message on its own costs as much as reading this many in a row. */
  costOfOne: number;
  /** Messages changed a moment ago, which must be read strongly. */
  changed?: ReadonlySet<number>;
}

/** Reads messages by their ids, which are ascending. */
export async function* walkPicked(
  table: Table,
  messageIds: number[],
  { isBackwards, costOfOne, changed }: Picking,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  const ids = isBackwards ? messageIds.toReversed() : [...messageIds];
  while (ids.length > 0) {
    const batch = ids.splice(0, Math.min(MAX_PAGE, Math.max(missing(), MIN_PAGE)));
    const eventually = changed !== undefined && !batch.some((id) => changed.has(id));
    const messages = await listMessagesById(table, batch, { eventually });
    if (isBackwards) messages.reverse();
    yield { messages, examined: costOfOne * batch.length, isSparse: true, reached: batch.at(-1) as number };
  }
}
