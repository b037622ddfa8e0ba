import type { Services } from '#shared/runtime/services.ts';
import { findLowWaterMark, listFilled, readCounter, STRONG_ENTRIES } from '#shared/store/log/log.ts';
import type { Filled } from '#shared/store/log/log-entry.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { type Table, unlessChanged } from '#shared/table/table.ts';
import { seal } from './read.ts';

/** When the low-water mark lags by more positions, a reader moves it. */
const LOW_WATER_MARK_SLACK = 20;

export interface Head {
  /** All positions up to here are filled, so nothing can appear below. */
  position: number;
  /** The last assigned position; positions between the head and this one may still be in flight. */
  counter: number;
  /** Up to here the sweep has repeated the post-commit updates of messages. */
  tendedPosition: number;
}

/** The exact head of the log: walks from the low-water mark to the first hole and seals old holes. */
export async function readHead(services: Services): Promise<Head> {
  const [counter, { position: lowWaterMark, tendedPosition }] = await Promise.all([
    readCounter(services.table),
    findLowWaterMark(services.table),
  ]);
  if (counter <= lowWaterMark) return { position: lowWaterMark, counter, tendedPosition };
  // An eventually consistent read of older entries can only make the head lower.
  const split = Math.max(lowWaterMark, counter - STRONG_ENTRIES);
  const [older, newest] = await Promise.all([
    listFilled(services.table, lowWaterMark + 1, split, { eventually: true }),
    listFilled(services.table, split + 1, counter),
  ]);
  const position = await walk(services, lowWaterMark, [...older, ...newest]);
  if (position - lowWaterMark > LOW_WATER_MARK_SLACK) await moveLowWaterMark(services, position);
  return { position, counter, tendedPosition };
}

async function walk(services: Services, lowWaterMark: number, entries: Filled[]): Promise<number> {
  let position = lowWaterMark;
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

/** Records that all positions up to this one are filled. */
export const moveLowWaterMark = (services: Services, position: number): Promise<void> =>
  raise(services.table, 'position', position);

/** Up to here the sweep has repeated the post-commit updates of messages. */
export async function readTended(table: Table): Promise<number> {
  return (await findLowWaterMark(table)).tendedPosition;
}

export const moveTended = (table: Table, position: number): Promise<void> =>
  raise(table, 'tendedPosition', position);

/** Up to here messages are in the search index; back to the start when it is rebuilt. */
export async function moveIndexed(table: Table, position: number, { isBack = false } = {}): Promise<void> {
  if (!isBack) return raise(table, 'indexedPosition', position);
  await table.write({ kind: 'update', key: logKeys.lowWaterMark(), set: { indexedPosition: position } });
}

async function raise(table: Table, attribute: string, position: number): Promise<void> {
  await unlessChanged(() =>
    table.write({
      kind: 'update',
      key: logKeys.lowWaterMark(),
      set: { [attribute]: position },
      condition: { belowOrAbsent: { [attribute]: position } },
    }),
  );
}
