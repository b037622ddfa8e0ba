import { sweep } from '#functions/workers/sweep.ts';
import { endOfPosition } from '#shared/events/event-id.ts';
import { listEntries, readCounter } from '#shared/store/log.ts';
import { liveIn, VirtualTime, watchLooks } from '#tests/harness/virtual-time.ts';
import { Random } from '#tests/simulation/random.ts';
import { createDeeds, type Kind, planDeeds } from './busy-hour.ts';
import { type Copies, countCopies } from './copies.ts';
import { foundOrganization, type LiveQueue, type Organization, openQueues } from './organization.ts';
import type { BenchService } from './service.ts';

const SEED = 20_261_121;
const HOUR_MS = 3_600_000;
/** Clients do not begin to poll at the same moment. */
const POLL_SPREAD_MS = 25_000;

export interface Spent {
  count: number;
  read: number;
  write: number;
}

/** What some clients' polls came to. */
export interface Polls extends Spent {
  looks: number;
  /** How long functions waited: as long as the clients were connected. */
  heldMs: number;
  /** From the moment that a message was sent to the moment that a look found it. */
  waitedMs: number[];
}

/** A piece of the hour as it was measured. */
export interface Sample {
  minutes: number;
  deeds: Map<Kind, Spent>;
  sweep: Spent;
  /** Of the clients that were watched. */
  polls: Polls;
  watched: number;
  clients: number;
  copies: Copies;
}

/**
 * Lets an organization live for some minutes of its hour, in a time of its own: what its people do goes through HTTP and
 * to the real table, some of its clients poll, and each unit is booked to whoever caused it. The same each time.
 */
export async function sampleHour(
  service: BenchService,
  { minutes, watched }: { minutes: number; watched: number },
): Promise<Sample> {
  const random = new Random(SEED);
  const { services } = service;
  const startMs = Math.ceil(services.clock.nowMs() / HOUR_MS) * HOUR_MS;
  const time = new VirtualTime(startMs);
  // No midnight lies between the people's last day and their hour.
  services.clock.nowMs = () => startMs;
  const organization = await foundOrganization(service, random.fork('organization'));
  await sweep(services);
  await service.settle();
  liveIn(time, services);
  const queues = await openQueues(service, organization);
  const book = new Book(service);
  const first = (await readCounter(services.table)) + 1;
  const lives = new Lives(organization, time, book, random);
  const endMs = startMs + minutes * 60_000;
  const step = queues.length / watched;
  for (let n = 0; n < watched; n++) {
    const queue = queues[Math.floor(n * step)] as LiveQueue;
    const fromMs = startMs + random.between(0, POLL_SPREAD_MS);
    lives.polls.heldMs += endMs - fromMs;
    await time.start(() => lives.poll(queue, first - 1, fromMs, endMs));
  }
  await time.start(() => lives.act(minutes));
  await time.passUntil(endMs);
  const last = await book.for('nobody', () => readCounter(services.table));
  await book.for('sweep', () => sweep(services));
  const entries = await book.for('nobody', () => listEntries(services.table, first, last));
  const sentAtMs = new Map(entries.map(({ position, atMs }) => [position, atMs]));
  const copies = await book.for('nobody', () => countCopies(service, organization.filter, queues, entries));
  return {
    minutes,
    deeds: lives.deeds,
    sweep: { ...book.of('sweep'), count: 1 },
    polls: {
      ...lives.polls,
      ...book.of('polls'),
      looks: book.looks,
      waitedMs: lives.seen.map(({ messageId, atMs }) => atMs - (sentAtMs.get(messageId) ?? atMs)),
    },
    watched,
    clients: queues.length,
    copies,
  };
}

/** Books each unit to whoever acts; while nobody says so, polls do. */
class Book {
  looks = 0;
  #name = 'polls';
  readonly #units = new Map<string, { read: number; write: number }>();

  constructor(service: BenchService) {
    watchLooks(service.services, () => {
      if (this.#name === 'polls') this.looks++;
    });
    service.watch(({ read, write }) => {
      const units = this.of(this.#name);
      this.#units.set(this.#name, { read: units.read + read, write: units.write + write });
    });
  }

  of(name: string): { read: number; write: number } {
    return this.#units.get(name) ?? { read: 0, write: 0 };
  }

  async for<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    this.#name = name;
    try {
      return await act();
    } finally {
      this.#name = 'polls';
    }
  }
}

class Lives {
  readonly deeds = new Map<Kind, Spent>();
  readonly polls = { count: 0, heldMs: 0 };
  readonly seen: { messageId: number; atMs: number }[] = [];
  readonly #organization: Organization;
  readonly #time: VirtualTime;
  readonly #book: Book;
  readonly #random: Random;

  constructor(organization: Organization, time: VirtualTime, book: Book, random: Random) {
    this.#organization = organization;
    this.#time = time;
    this.#book = book;
    this.#random = random;
  }

  /** People do what is due, one after the other. */
  async act(minutes: number): Promise<void> {
    const startMs = this.#time.nowMs();
    const choices = this.#random.fork('choices');
    const deeds = createDeeds(this.#organization, choices, () => Math.floor(this.#time.nowMs() / 1000));
    for (const { atMs, kind } of planDeeds(this.#random.fork('plan'), minutes)) {
      await this.#time.sleepUntil(startMs + atMs);
      const person = choices.pick(this.#organization.present);
      await this.#book.for(kind, () => deeds[kind](person));
      const count = (this.deeds.get(kind)?.count ?? 0) + 1;
      this.deeds.set(kind, { count, ...this.#book.of(kind) });
    }
  }

  /** A client polls, and notes when it saw which message. */
  async poll({ queueId, person }: LiveQueue, position: number, fromMs: number, endMs: number): Promise<void> {
    await this.#time.sleepUntil(fromMs);
    let lastEventId = endOfPosition(position);
    while (this.#time.nowMs() < endMs) {
      this.polls.count++;
      const params = { queue_id: queueId, last_event_id: lastEventId };
      const { events } = await person.client.call('GET', '/events', params);
      for (const event of events) {
        lastEventId = event.id;
        if (event.type === 'message')
          this.seen.push({ messageId: event.message.id, atMs: this.#time.nowMs() });
      }
    }
  }
}
