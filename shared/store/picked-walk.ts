import type { Table } from '#shared/table/table.ts';
import { listMessagesById } from './messages.ts';
import type { WalkedPage } from './partition-walk.ts';

const MIN_PAGE = 10;
const MAX_PAGE = 100;

interface Picking {
  isBackwards: boolean;
  /** A message that is read on its own takes as much as so many in a row. */
  costOfOne: number;
  /** Messages that were changed a moment ago: no replica may answer for them. */
  changed?: ReadonlySet<number>;
}

/** Messages that are read one by one, by their ids, which are ascending. */
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
