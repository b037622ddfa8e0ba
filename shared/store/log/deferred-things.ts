import { packIds, unpackIds } from '#shared/domain/reading/id-list.ts';
import { type DeferredKind, type DeferredThings, deferredKinds } from '#shared/domain/snapshot/deferred.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { queueKeys } from '#shared/table/keys/queues.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** The things deferred from a snapshot, and the options that it was requested with. */
export interface Deferral {
  deferred: DeferredThings;
  includeSubscribers: 'true' | 'false' | 'partial';
}

export const nothingDeferred: Deferral = { deferred: {}, includeSubscribers: 'false' };

/** A client that has not fetched them by then must register again. */
const LIFE_SECONDS = 8 * 24 * 3600;

/** The item with the deferred events of a queue: a byte or two for each. It expires by itself. */
export const deferredItem = (
  { clock }: Pick<Services, 'clock'>,
  queueId: string,
  { deferred, includeSubscribers }: Deferral,
): Key & Item => ({
  ...queueKeys.deferred(queueId),
  includeSubscribers,
  ids: Object.fromEntries(Object.entries(deferred).map(([kind, ids]) => [kind, packIds(ids)])),
  expiresAtSeconds: toSeconds(clock.nowMs()) + LIFE_SECONDS,
});

export interface DeferredList {
  includeSubscribers: Deferral['includeSubscribers'];
  /** In order of delivery. */
  things: { kind: DeferredKind; id: number }[];
}

/** The deferred events of the queue; undefined after they expired. */
export async function findDeferred(table: Table, queueId: string): Promise<DeferredList | undefined> {
  const item = await table.find(queueKeys.deferred(queueId));
  if (!item) return undefined;
  const ids = item.ids as Partial<Record<DeferredKind, Uint8Array>>;
  return {
    includeSubscribers: item.includeSubscribers as Deferral['includeSubscribers'],
    things: deferredKinds.flatMap((kind) =>
      unpackIds(ids[kind] ?? new Uint8Array()).map((id) => ({ kind, id })),
    ),
  };
}
