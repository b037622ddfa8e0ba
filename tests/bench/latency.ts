import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '#tests/simulation/random.ts';
import { percentile, type Row } from './report.ts';
import type { BenchClient, BenchService } from './service.ts';

const MESSAGES = 80;
const SEED = 20_261_121;
/** A lively conversation. */
const MEAN_GAP_MS = 2_000;
const BUDGET_MS = { p50: 50, p99: 150 };
const THROUGHPUT_MS = 4_000;

/**
 * Send → seen in a lively conversation: from the moment that a send begins to the moment that a long poll of someone
 * else has the event. In real time, with gaps that are the same each time.
 */
export async function timeSeen(
  service: BenchService,
  messages = MESSAGES,
): Promise<{ p50: number; p99: number }> {
  const { owner } = service;
  const random = new Random(SEED);
  const reader = await service.createUser('Reader');
  const principals = [owner.userId, reader.userId];
  await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'lively' }], principals });
  await service.settle();
  const queue = await reader.call('POST', '/register', { event_types: ['message'] });
  const sentAt = new Map<string, number>();
  const seen = readMessages(reader, queue, sentAt, messages);
  for (let n = 0; n < messages; n++) {
    const content = `message ${n}`;
    sentAt.set(content, performance.now());
    await owner.call('POST', '/messages', { type: 'channel', to: 'lively', topic: 'bench', content });
    await pause(-Math.log(1 - random.fraction()) * MEAN_GAP_MS);
  }
  const delays = await seen;
  return { p50: percentile(delays, 0.5), p99: percentile(delays, 0.99) };
}

/** The same beside the expected value of an idle machine. */
export async function measureLatency(service: BenchService): Promise<Row[]> {
  const { p50, p99 } = await timeSeen(service);
  const row = (name: string, ms: number, budgetMs: number): Row => ({
    what: `send → seen in a lively conversation, ${name}`,
    measured: `${ms.toFixed(0)} ms`,
    budget: `≤ ${budgetMs} ms on an idle machine`,
  });
  return [row('p50', p50, BUDGET_MS.p50), row('p99', p99, BUDGET_MS.p99)];
}

async function readMessages(
  reader: BenchClient,
  queue: { queue_id: string; last_event_id: number },
  sentAt: Map<string, number>,
  messages: number,
): Promise<number[]> {
  const delays: number[] = [];
  let lastEventId = queue.last_event_id;
  while (delays.length < messages) {
    const { events } = await reader.call('GET', '/events', {
      queue_id: queue.queue_id,
      last_event_id: lastEventId,
    });
    for (const event of events) {
      lastEventId = event.id;
      const start = sentAt.get(event.message?.content);
      if (start !== undefined) delays.push(performance.now() - start);
    }
  }
  return delays;
}

/** How many messages a number of senders get through, each waiting for its answer. */
export async function measureThroughput(service: BenchService, senders: number): Promise<Row[]> {
  const end = performance.now() + THROUGHPUT_MS;
  const durations: number[] = [];
  const send = async (sender: number): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now();
      const params = { type: 'channel', to: 'lively', topic: `sender ${sender}`, content: 'hello' };
      await service.owner.call('POST', '/messages', params);
      durations.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, n) => send(n)));
  const perSecond = durations.length / (THROUGHPUT_MS / 1000);
  return [
    {
      what: `sends per second, ${senders} sender${senders > 1 ? 's' : ''}`,
      measured: `${perSecond.toFixed(0)}/s, p50 ${percentile(durations, 0.5).toFixed(0)} ms`,
      budget: '',
    },
  ];
}
