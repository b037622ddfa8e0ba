import { BadEventQueueId } from '#shared/domain/errors.ts';
import type { ArrearKind, Fields } from '#shared/domain/snapshot/arrears.ts';
import type { User } from '#shared/domain/users/user.ts';
import { arrearEventId } from '#shared/events/event-id.ts';
import type { ShapedEvent } from '#shared/events/shape.ts';
import { EVENTS_PER_ARREAR, tellArrear } from '#shared/events/shapers/arrears.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findArrears, type OwedList } from '#shared/store/queue-arrears.ts';
import { withCountsOfThen } from './arrear-counts.ts';
import type { Queue } from './queue.ts';
import { ReplyPage } from './reply-page.ts';

/** So many things are loaded at once. */
const THINGS_PER_READ = 100;
/** And so many are told by one poll: each costs a few read units. */
const THINGS_PER_POLL = 300;

/**
 * Tells a queue what its snapshot had no room for, before anything of the log. Each thing is told as it is now, and has ids
 * of its own: what has gone meanwhile leaves a gap. The log says afterwards how things came to be so, which changes
 * nothing of what is told here.
 */
export class ArrearsReader {
  readonly #services: Services;
  readonly #queue: Queue;
  readonly #user: User;
  readonly #lastEventId: number;
  #owed: OwedList | undefined;

  constructor(services: Services, queue: Queue, user: User, lastEventId: number) {
    this.#services = services;
    this.#queue = queue;
    this.#user = user;
    this.#lastEventId = lastEventId;
  }

  /** The events of one reply, none where everything is told. @throws BadEventQueueId where it is not known any more */
  async read(): Promise<ShapedEvent[]> {
    const { arrears, queueId } = this.#queue;
    let next = arrears ? this.#firstUntold(arrears.position) : 0;
    if (!arrears || next >= arrears.count) return [];
    this.#owed ??= await findArrears(this.#services.table, queueId);
    if (!this.#owed) throw new BadEventQueueId(queueId);
    const page = new ReplyPage();
    const enough = next + THINGS_PER_POLL;
    while (next < arrears.count && (page.events.length === 0 || (next < enough && !page.isFull))) {
      const things = this.#owed.things.slice(next, next + THINGS_PER_READ);
      for (const events of await this.#tell(things, arrears.position, next)) page.add(events);
      next += things.length;
    }
    // Where nothing of it is left, no look has to find that out again.
    if (page.events.length === 0) this.#queue.arrears = { ...arrears, count: 0 };
    return page.events;
  }

  /** Things have ids of the same number of events, so an event id says which thing comes next. */
  #firstUntold(position: number): number {
    const told = this.#lastEventId + 1 - arrearEventId(position, 0);
    return Math.max(0, Math.floor(told / EVENTS_PER_ARREAR));
  }

  async #tell(things: OwedList['things'], position: number, first: number): Promise<ShapedEvent[][]> {
    const fields = new Map<ArrearKind, Fields>();
    for (const [kind, group] of Map.groupBy(things, (thing) => thing.kind))
      fields.set(
        kind,
        await this.#load(
          kind,
          group.map(({ id }) => id),
        ),
      );
    return things.map(({ kind, id }, n) =>
      tellArrear(kind, fields.get(kind) ?? {}, id, this.#user.userId)
        .map((payload, index) => ({
          ...payload,
          id: arrearEventId(position, (first + n) * EVENTS_PER_ARREAR + index),
        }))
        .filter((event) => event.id > this.#lastEventId),
    );
  }

  async #load(kind: ArrearKind, ids: number[]): Promise<Fields> {
    // Most polls have no use for it.
    const { loadSome } = await import('./snapshot-sections.ts');
    const request = {
      caller: { ...this.#user },
      filter: this.#queue.filter,
      fetchTypes: [],
      includeSubscribers: this.#owed?.includeSubscribers ?? 'false',
      presenceHistoryDays: 0,
    };
    const position = this.#queue.arrears?.position ?? 0;
    const load = () => loadSome(this.#services, request, kind, ids, position);
    return kind === 'channels' ? withCountsOfThen(this.#services, position, load) : load();
  }
}
