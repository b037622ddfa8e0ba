import { BadEventQueueId } from '#shared/domain/errors.ts';
import type { DeferredKind, Fields } from '#shared/domain/snapshot/deferred.ts';
import type { User } from '#shared/domain/users/user.ts';
import { deferredEventId } from '#shared/events/event-id.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { EVENTS_PER_DEFERRED_THING, tellDeferred } from '#shared/events/shapers/deferred.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type DeferredList, findDeferred } from '#shared/store/log/deferred-things.ts';
import { withCountsOfThen } from './deferred-counts.ts';
import type { Queue } from './queue.ts';
import { type Page, ReplyPage } from './reply-page.ts';

/** The number of things loaded at once. */
const THINGS_PER_READ = 100;
/** The number delivered by one poll: each costs a few read units. */
const THINGS_PER_POLL = 300;

/**
 * The next page of items deferred from a queue's snapshot, delivered before any log event; empty after the last one.
 * Each item is delivered in its present state, and has ids of its own: removed items leave a gap. Later log events about
 * the same items repeat their state and change nothing for the client.
 * @throws BadEventQueueId if the list of items is gone
 */
export async function readDeferred(services: Services, queue: Queue, user: User): Promise<Page> {
  const { deferred, queueId, ackedId } = queue;
  if (!deferred || !hasDeferred(queue)) return { events: [], queue };
  const deferral = await findDeferred(services.table, queueId);
  if (!deferral) throw new BadEventQueueId(queueId);
  const page = new ReplyPage();
  let next = firstUntold(deferred.position, ackedId);
  const enough = next + THINGS_PER_POLL;
  while (next < deferred.count && (page.events.length === 0 || (next < enough && !page.isFull))) {
    const things = deferral.things.slice(next, next + THINGS_PER_READ);
    if (things.length === 0) throw new BadEventQueueId(queueId);
    const loaded = await loadThings(services, { filter: queue.filter, position: deferred.position }, user, {
      ...deferral,
      things,
    });
    for (const [n, { kind, id }] of things.entries()) {
      const payloads = tellDeferred(kind, loaded.get(kind) ?? {}, id, user.userId);
      const firstIndex = (next + n) * EVENTS_PER_DEFERRED_THING;
      const events = payloads.map((payload, index) => ({
        ...payload,
        id: deferredEventId(deferred.position, firstIndex + index),
      }));
      page.add(events.filter((event) => event.id > ackedId));
    }
    next += things.length;
  }
  const { events } = page;
  // With none left, no later poll has to find that out again.
  return { events, queue: events.length > 0 ? queue : { ...queue, deferred: { ...deferred, count: 0 } } };
}

/** Whether deferred items of a queue's snapshot remain to be delivered. */
export const hasDeferred = ({ deferred, ackedId }: Queue): boolean =>
  deferred !== undefined && firstUntold(deferred.position, ackedId) < deferred.count;

/** Things have ids of the same number of events, so an event id says which thing comes next. */
function firstUntold(position: number, ackedId: number): number {
  const delivered = ackedId + 1 - deferredEventId(position, 0);
  return Math.max(0, Math.floor(delivered / EVENTS_PER_DEFERRED_THING));
}

/** The things of each kind, as the fields in which a snapshot has them. */
async function loadThings(
  services: Services,
  { filter, position }: { filter: QueueFilter; position: number },
  user: User,
  { things, includeSubscribers }: DeferredList,
): Promise<Map<DeferredKind, Fields>> {
  // Most polls have no use for it.
  const { loadSome } = await import('#shared/snapshot/snapshot-sections.ts');
  const request = {
    caller: { ...user },
    filter,
    fetchTypes: [],
    includeSubscribers,
    presenceHistoryDays: 0,
  };
  const loaded = new Map<DeferredKind, Fields>();
  for (const [kind, group] of Map.groupBy(things, (thing) => thing.kind)) {
    const ids = group.map(({ id }) => id);
    const load = (): Promise<Fields> => loadSome(services, request, kind, ids, position);
    loaded.set(
      kind,
      await (kind === 'channels'
        ? withCountsOfThen(services, { position, ownerId: user.userId }, load)
        : load()),
    );
  }
  return loaded;
}
