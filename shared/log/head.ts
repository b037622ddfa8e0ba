import type { Services } from '#shared/runtime/services.ts';
import { findFrontier, listFilled, readCounter, STRONG_ENTRIES } from '#shared/store/log.ts';
import type { Filled } from '#shared/store/log-entry.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { unlessChanged } from '#shared/table/unless-changed.ts';
import { seal } from './read.ts';

/** So many positions beyond the frontier are walked again by each reader before one of them moves it. */
const FRONTIER_SLACK = 20;

export interface Head {
  /** Every position up to here is filled, so nothing can appear below. */
  position: number;
  /** The last position given to a writer; beyond the head lies what is still being written. */
  counter: number;
  /** Up to here the sweep has derived again what follows from messages. */
  tendedPosition: number;
}

/** The exact head of the log: walks from the frontier to the first hole, sealing holes that are old. */
export async function readHead(services: Services): Promise<Head> {
  const [counter, { position: frontier, tendedPosition }] = await Promise.all([
    readCounter(services.table),
    findFrontier(services.table),
  ]);
  if (counter <= frontier) return { position: frontier, counter, tendedPosition };
  // Older entries that no replica has yet only make the head lower.
  const split = Math.max(frontier, counter - STRONG_ENTRIES);
  const [older, newest] = await Promise.all([
    listFilled(services.table, frontier + 1, split, { eventually: true }),
    listFilled(services.table, split + 1, counter),
  ]);
  const position = await walk(services, frontier, [...older, ...newest]);
  if (position - frontier > FRONTIER_SLACK) await moveFrontier(services, position);
  return { position, counter, tendedPosition };
}

async function walk(services: Services, frontier: number, entries: Filled[]): Promise<number> {
  let position = frontier;
  for (const entry of entries) {
    while (position + 1 < entry.position) {
      if (services.clock.nowMs() - entry.atMs <= services.config.sealGraceMs) return position;
      await seal(services, position + 1);
      position++;
    }
    position = entry.position;
  }
  return position;
}

/** Records that every position up to this one is filled. */
export const moveFrontier = (services: Services, position: number): Promise<void> =>
  raise(services.table, 'position', position);

/** Up to here the sweep has derived again what follows from messages. */
export async function readTended(table: Table): Promise<number> {
  return (await findFrontier(table)).tendedPosition;
}

export const moveTended = (table: Table, position: number): Promise<void> =>
  raise(table, 'tendedPosition', position);

/** Up to here messages are in the search index; back to the beginning where it is built anew. */
export async function moveIndexed(table: Table, position: number, { isBack = false } = {}): Promise<void> {
  if (!isBack) return raise(table, 'indexedPosition', position);
  await table.write({ kind: 'update', key: keys.frontier(), set: { indexedPosition: position } });
}

async function raise(table: Table, attribute: string, position: number): Promise<void> {
  await unlessChanged(() =>
    table.write({
      kind: 'update',
      key: keys.frontier(),
      set: { [attribute]: position },
      condition: { belowOrAbsent: { [attribute]: position } },
    }),
  );
}
