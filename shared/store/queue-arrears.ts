import { packIds, unpackIds } from '#shared/domain/reading/id-list.ts';
import { type ArrearKind, type Arrears, arrearKinds } from '#shared/domain/snapshot/arrears.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** What a snapshot lacks, with what was asked for of it. */
export interface Owed {
  arrears: Arrears;
  includeSubscribers: 'true' | 'false' | 'partial';
}

export const nothingOwed: Owed = { arrears: {}, includeSubscribers: 'false' };

/** A client that has not asked for them by then registers again. */
const LIFE_SECONDS = 8 * 24 * 3600;

/** The item that says what a queue has to tell first: a byte or two for each thing. It goes by itself. */
export const arrearsItem = (
  { clock }: Pick<Services, 'clock'>,
  queueId: string,
  { arrears, includeSubscribers }: Owed,
): Key & Item => ({
  ...keys.queueArrears(queueId),
  includeSubscribers,
  ids: Object.fromEntries(Object.entries(arrears).map(([kind, ids]) => [kind, packIds(ids)])),
  expiresAtSeconds: toSeconds(clock.nowMs()) + LIFE_SECONDS,
});

export interface OwedList {
  includeSubscribers: Owed['includeSubscribers'];
  /** In the order in which they are told. */
  things: { kind: ArrearKind; id: number }[];
}

/** What the queue has to tell first, or undefined where that is not known any more. */
export async function findArrears(table: Table, queueId: string): Promise<OwedList | undefined> {
  const item = await table.find(keys.queueArrears(queueId));
  if (!item) return undefined;
  const ids = item.ids as Partial<Record<ArrearKind, Uint8Array>>;
  return {
    includeSubscribers: item.includeSubscribers as Owed['includeSubscribers'],
    things: arrearKinds.flatMap((kind) =>
      unpackIds(ids[kind] ?? new Uint8Array()).map((id) => ({ kind, id })),
    ),
  };
}
