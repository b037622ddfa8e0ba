import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { sweep } from '#functions/workers/sweep.ts';
import { POLLER_CONFIG } from '#infra/poller/limits.ts';
import { endOfPosition } from '#shared/events/event-id.ts';
import { listEntries, readCounter } from '#shared/store/log/log.ts';
import { liveIn, VirtualTime, watchLooks } from '#tests/harness/virtual-time.ts';

import { Random } from '#tests/simulation/random.ts';
import type { BenchService } from '../service.ts';
import { createActions, type Kind, planHour } from './busy-hour.ts';
import { type Copies, countCopies } from './copies.ts';
import { foundOrganization, type LiveQueue, type Organization, openQueues } from './organization.ts';
import { Texts } from './texts.ts';

const SEED = 20_261_121;
const HOUR_MS = 3_600_000;
/** Clients do not begin to poll at the same moment. */
const POLL_SPREAD_MS = 25_000;

export interface Spent {
  count: number;
  read: number;
  write: number;
  /** Bytes of the answers, as sent: headers, and bodies that are mostly compressed. */
  bytes: number;
}

/** The sums of some clients' polls. */
export interface Polls extends Spent {
  looks: number;
  /** The read units of looks. */
  lookUnits: number;
  /** Polls that were answered with events. */
  answered: number;
  /** The costs of a socket instead, with deferred events. */
  texts: number;
  /** How long functions waited: as long as the clients were connected. */
  heldMs: number;
  /** From the moment that a message was sent to the moment that a look found it. */
  waitedMs: number[];
}

/** A piece of the hour as it was measured. */
export interface Sample {
  minutes: number;
  actions: Map<Kind, Spent>;
  sweep: Spent;
  /** The number of observed clients. */
  polls: Polls;
  watched: number;
  clients: number;
  people: number;
  copies: Copies;
  /** Entries of the log. */
  entries: number;
}

export interface HourOptions {
  minutes: number;
  /** The number of clients that poll; those beyond it cost the same again. */
  watched: number;
  people?: number;
  /** Whether people have only waited for a while. */
  isIdle?: boolean;
  /** Whether one process holds the polls, as in a web function, instead of one for each. */
  isShared?: boolean;
}

/** The owner does within a moment the work of days. */
const FOUNDING_REQUESTS = 1_000_000;
/** Longer than looks become rarer. */
const IDLE_FOR_MS = 600_000;

/**
 * Lets an organization live for some minutes of its hour, in virtual time: its people's actions go through HTTP and
 * to the real table, some of its clients poll, and each unit is booked to the user who caused it. The same each time.
 */
export async function sampleHour(
  service: BenchService,
  { minutes, watched, people = 200, isIdle = false, isShared = false }: HourOptions,
): Promise<Sample> {
  const random = new Random(SEED);
  const { services } = service;
  const startMs = Math.ceil(services.clock.nowMs() / HOUR_MS) * HOUR_MS;
  const time = new VirtualTime(startMs);
  // No midnight lies between the people's last day and their hour.
  services.clock.nowMs = () => startMs;
  const { requestLimits } = services.config;
  const { user } = requestLimits;
  services.config.requestLimits = { ...requestLimits, user: { ...user, requests: FOUNDING_REQUESTS } };
  const organization = await foundOrganization(service, random.fork('organization'), people);
  services.config.requestLimits = requestLimits;
  await sweep(services);
  await service.settle();
  liveIn(time, services);
  if (isShared) {
    // Others write.
    services.appends = new EventEmitter();
    Object.assign(services.config, POLLER_CONFIG);
  }
  const queues = await openQueues(service, organization, isIdle ? IDLE_FOR_MS : 0);
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
  if (!isIdle) await time.start(() => lives.act({ minutes, people }));
  await time.passUntil(endMs);
  const last = await book.for('nobody', () => readCounter(services.table));
  await book.for('sweep', () => sweep(services));
  const entries = await book.for('nobody', () => listEntries(services.table, first, last));
  const sentAtMs = new Map(entries.map(({ position, atMs }) => [position, atMs]));
  const copies = await book.for('nobody', () => countCopies(service, organization.filter, queues, entries));
  return {
    minutes,
    actions: lives.actions,
    sweep: { ...book.of('sweep'), count: 1 },
    polls: {
      ...lives.polls,
      ...book.of('polls'),
      looks: book.looks,
      lookUnits: book.lookUnits,
      texts: lives.texts.reduce((all, { count }) => all + count, 0),
      waitedMs: lives.seen.map(({ messageId, atMs }) => atMs - (sentAtMs.get(messageId) ?? atMs)),
    },
    watched,
    clients: queues.length,
    people,
    copies,
    entries: entries.length,
  };
}

/** Books each unit to a user who acts; while no user says so, polls do. */
class Book {
  looks = 0;
  lookUnits = 0;
  #name = 'polls';
  readonly #spent = new Map<string, Omit<Spent, 'count'>>();

  constructor(service: BenchService) {
    const looking = new AsyncLocalStorage<true>();
    const onLook = () => {
      if (this.#name === 'polls') this.looks++;
    };
    watchLooks(service.services, onLook, (look) => looking.run(true, look));
    service.watch(({ read, write }) => {
      if (this.#name === 'polls' && looking.getStore()) this.lookUnits += read;
      this.#add({ read, write, bytes: 0 });
    });
    service.watchAnswers((bytes) => this.#add({ read: 0, write: 0, bytes }));
  }

  #add({ read, write, bytes }: Omit<Spent, 'count'>): void {
    const spent = this.of(this.#name);
    this.#spent.set(this.#name, {
      read: spent.read + read,
      write: spent.write + write,
      bytes: spent.bytes + bytes,
    });
  }

  of(name: string): Omit<Spent, 'count'> {
    return this.#spent.get(name) ?? { read: 0, write: 0, bytes: 0 };
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
  readonly actions = new Map<Kind, Spent>();
  readonly polls = { count: 0, answered: 0, heldMs: 0 };
  readonly texts: Texts[] = [];
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

  /** People execute the due actions, one after the other. */
  async act(span: { minutes: number; people: number }): Promise<void> {
    const startMs = this.#time.nowMs();
    const choices = this.#random.fork('choices');
    const actions = createActions(this.#organization, choices, () => Math.floor(this.#time.nowMs() / 1000));
    const { clients, present } = this.#organization;
    for (const { atMs, kind, by } of planHour(this.#random.fork('plan'), span, clients)) {
      await this.#time.sleepUntil(startMs + atMs);
      const person = by ?? choices.pick(present);
      await this.#book.for(kind, () => actions[kind](person));
      const count = (this.actions.get(kind)?.count ?? 0) + 1;
      this.actions.set(kind, { count, ...this.#book.of(kind) });
    }
  }

  /** A client polls, and notes when it saw which message. */
  async poll({ queueId, person }: LiveQueue, position: number, fromMs: number, endMs: number): Promise<void> {
    await this.#time.sleepUntil(fromMs);
    let lastEventId = endOfPosition(position);
    const texts = new Texts(person.userId);
    this.texts.push(texts);
    while (this.#time.nowMs() < endMs) {
      this.polls.count++;
      const params = { queue_id: queueId, last_event_id: lastEventId };
      const { events } = await person.client.call('GET', '/events', params);
      const relevant = events.filter(({ type }: { type: string }) => type !== 'heartbeat');
      if (relevant.length > 0) this.polls.answered++;
      texts.add(relevant, this.#time.nowMs());
      for (const event of events) {
        lastEventId = event.id;
        if (event.type === 'message')
          this.seen.push({ messageId: event.message.id, atMs: this.#time.nowMs() });
      }
    }
  }
}
