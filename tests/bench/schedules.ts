import { dollarsOf } from '#infra/prices.ts';
import type { Config } from '#shared/runtime/config.ts';
import { defaultConfig } from '#shared/runtime/config.ts';
import { liveIn, VirtualTime } from '#tests/harness/virtual-time.ts';
import { Random } from '#tests/simulation/random.ts';
import { percentile, type Row } from './report.ts';
import { type BenchClient, type BenchService, startBenchService } from './service.ts';

type Schedule = Config['lookSchedule'];

const looking = (...steps: [fromAgeMs: number, everyMs: number][]): Schedule =>
  steps.map(([fromAgeMs, everyMs]) => ({ fromAgeMs, everyMs }));

/** The compared schedules; the first is that of the service. */
export const schedules: [name: string, schedule: Schedule][] = [
  ['configured', defaultConfig.lookSchedule],
  ['every 50 ms', looking([0, 50])],
  [
    '50 ms for 5 s, 100 ms for 30 s, then as configured',
    looking([0, 50], [5_000, 100], [30_000, 500], [60_000, 1_000], [300_000, 2_000]),
  ],
  ['100 ms for 10 s, 250 ms for 30 s, 1 s', looking([0, 100], [10_000, 250], [30_000, 1_000])],
  ['250 ms for 5 s, 500 ms for 15 s, 1 s', looking([0, 250], [5_000, 500], [15_000, 1_000])],
  ['every 250 ms', looking([0, 250])],
  ['every second', looking([0, 1_000])],
];

const SEED = 20_261_121;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Lively: a message every two seconds on average. Ordinary: one every 40 seconds, which is an hour of the ledger. */
const GAPS_MS = { lively: 2_000, ordinary: 40_000 };

export interface Trade {
  name: string;
  /** How long messages waited for a look, in a lively conversation and in an ordinary hour. */
  lively: { p50: number; p99: number };
  ordinary: { p50: number; p99: number };
  /** Read units of a connected client in an hour, all of its polls included. */
  readPerHour: { lively: number; ordinary: number; idle: number };
}

/**
 * A trade as a line: how long messages wait for a look, and the costs of the reads in a lively, an ordinary and an
 * idle hour.
 */
export function tradeRow({ name, lively, ordinary, readPerHour }: Trade): Row {
  const pair = ({ p50, p99 }: { p50: number; p99: number }) => `${p50}/${p99} ms`;
  const reads = (read: number) => `${Math.round(read)} RCU $${dollarsOf({ read, write: 0 }).toFixed(5)}`;
  return {
    what: name,
    measured: `lively ${pair(lively)}, ordinary ${pair(ordinary)}`,
    budget: Object.entries(readPerHour)
      .map(([hour, read]) => `${hour} ${reads(read)}`)
      .join(', '),
  };
}

/** The polls of one client under a schedule: in a time of its own, so the same on every machine. */
export async function weighSchedule(
  name: string,
  lookSchedule: Schedule,
  minutes: { lively: number; ordinary: number; idle: number },
): Promise<Trade> {
  const service = await startBenchService({ config: { lookSchedule } });
  try {
    const scene = await startScene(service);
    const lively = await scene.live(minutes.lively, GAPS_MS.lively);
    const ordinary = await scene.live(minutes.ordinary, GAPS_MS.ordinary);
    await scene.pass(10);
    const idle = await scene.live(minutes.idle, Number.POSITIVE_INFINITY);
    const readPerHour = { lively: lively.read, ordinary: ordinary.read, idle: idle.read };
    return { name, lively: lively.wait, ordinary: ordinary.wait, readPerHour };
  } finally {
    await service.stop();
  }
}

async function startScene(service: BenchService) {
  const { services, owner } = service;
  const reader = await service.createUser('Reader');
  const principals = [owner.userId, reader.userId];
  await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'lively' }], principals });
  await service.settle();
  const queue = await reader.call('POST', '/register', {
    idle_queue_timeout: 7_200,
    event_types: ['message'],
  });
  const random = new Random(SEED);
  const time = new VirtualTime(services.clock.nowMs());
  liveIn(time, services);
  let isSending = false;
  let read = 0;
  let countedUntilMs = 0;
  service.watch((units) => {
    if (!isSending && time.nowMs() < countedUntilMs) read += units.read;
  });
  const say = async () => {
    isSending = true;
    const message = { type: 'channel', to: 'lively', topic: 'talk', content: 'hello' };
    const { id } = await owner.call('POST', '/messages', message);
    isSending = false;
    return id as number;
  };
  const poller = new Poller(reader, queue, time);
  return {
    pass: (minutes: number) => time.passUntil(time.nowMs() + minutes * MINUTE),
    /** Minutes of messages with seeded gaps of this mean, and of one client that waits for them. */
    async live(minutes: number, meanGapMs: number) {
      const endMs = time.nowMs() + minutes * MINUTE;
      const sentAtMs = new Map<number, number>();
      read = 0;
      countedUntilMs = endMs;
      poller.seen = [];
      await time.start(() => poller.pollUntil(endMs));
      await time.start(async () => {
        for (;;) {
          const gapMs = Math.round(-Math.log(1 - random.fraction()) * meanGapMs);
          if (time.nowMs() + gapMs >= endMs) return;
          await time.sleep(gapMs);
          const atMs = time.nowMs();
          sentAtMs.set(await say(), atMs);
        }
      });
      await time.passUntil(endMs + services.config.pollHoldMs);
      const waited = poller.seen.map(({ id, atMs }) => atMs - (sentAtMs.get(id) ?? atMs));
      const wait = { p50: percentile(waited, 0.5), p99: percentile(waited, 0.99) };
      return { wait, read: read * (60 / minutes) };
    },
  };
}

class Poller {
  seen: { id: number; atMs: number }[] = [];
  readonly #client: BenchClient;
  readonly #queueId: string;
  readonly #time: VirtualTime;
  #lastEventId: number;

  constructor(client: BenchClient, queue: { queue_id: string; last_event_id: number }, time: VirtualTime) {
    this.#client = client;
    this.#queueId = queue.queue_id;
    this.#lastEventId = queue.last_event_id;
    this.#time = time;
  }

  async pollUntil(endMs: number): Promise<void> {
    while (this.#time.nowMs() < endMs) {
      const params = { queue_id: this.#queueId, last_event_id: this.#lastEventId };
      const { events } = await this.#client.call('GET', '/events', params);
      for (const event of events) {
        this.#lastEventId = event.id;
        if (event.message) this.seen.push({ id: event.message.id, atMs: this.#time.nowMs() });
      }
    }
  }
}
