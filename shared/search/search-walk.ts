import { isInSource, type MessageSource } from '#shared/domain/narrow/source.ts';
import type { SearchTerm } from '#shared/domain/search/terms.ts';
import type { Tail } from '#shared/store/messages/message-tail.ts';
import { behind, type Stretch, type WalkedPage } from '#shared/store/messages/partition-walk.ts';
import type { Table } from '#shared/table/table.ts';
import { openIndex, walkIndex } from './index-walk.ts';
import type { Sieve } from './log-walk.ts';
import { walkSource } from './message-walk.ts';
import { RunGone } from './search-index.ts';

/** The source and the stretch of a search. */
export interface Walk {
  table: Table;
  callerId: number;
  source: MessageSource;
  /** The terms for the search index; empty to search without it. */
  terms: SearchTerm[];
  sieve: Sieve;
}

/** After this many items read in a row the index is used; frequent matches are found before. */
const BEFORE_THE_INDEX = 200;
/** These sources have few messages, so the index is not needed. */
const UNINDEXED: MessageSource['kind'][] = ['message', 'starred', 'nothing'];

/** The source up to the tail, and the tail itself, in walk order. */
export async function* walkSearch(
  walk: Walk,
  tail: Tail,
  { from, to, isBackwards }: Stretch,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  const messages = tail.messages.filter(
    (message) => from <= message.messageId && message.messageId <= to && isInSource(walk.source, message),
  );
  const newest = { messages: isBackwards ? messages.reverse() : messages, examined: messages.length };
  const older = { from, to: Math.min(to, tail.from - 1), isBackwards };
  if (isBackwards) yield newest;
  yield* walkOlder(walk, tail.end, older, missing);
  if (!isBackwards) yield newest;
}

/** The source for some way, then the index for the rest. */
async function* walkOlder(
  walk: Walk,
  end: number,
  stretch: Stretch,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  const { table, terms, source } = walk;
  const hasIndex = terms.length > 0 && !UNINDEXED.includes(source.kind);
  const pages = walkSource(table, walk.callerId, source, stretch, missing, walk.sieve);
  let left = stretch;
  for (let examined = 0; !hasIndex || examined < BEFORE_THE_INDEX; ) {
    const page = await pages.next();
    if (page.done) return;
    yield page.value;
    examined += page.value.examined;
    left = after(left, page.value);
  }
  if (left.from > left.to) return;
  const open = await openIndex(table, end);
  if (!open) return yield* pages;
  await pages.return(undefined);
  try {
    for await (const page of walkIndex(table, open, terms, left, missing)) {
      yield page;
      left = after(left, page);
    }
  } catch (failure) {
    if (!(failure instanceof RunGone)) throw failure;
    yield* walkSource(table, walk.callerId, source, left, missing, walk.sieve);
  }
}

/** The rest of a stretch after a page. */
function after(stretch: Stretch, { messages, reached }: WalkedPage): Stretch {
  const last = reached ?? messages.at(-1)?.messageId;
  return last === undefined ? stretch : behind(stretch, last);
}
