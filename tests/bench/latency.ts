import { percentile, type Row } from './report.ts';
import type { BenchClient, BenchService } from './service.ts';

const MESSAGES = 60;
const THROUGHPUT_MS = 4_000;

/** Send → seen: from the moment that a send begins to the moment that a long poll of someone else has the event. */
export async function measureLatency(service: BenchService): Promise<Row[]> {
  const { owner } = service;
  const reader = await service.createUser('Reader');
  const principals = [owner.userId, reader.userId];
  await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'lively' }], principals });
  await service.settle();
  const queue = await reader.call('POST', '/register', { event_types: ['message'] });
  const sentAt = new Map<string, number>();
  const seen = readMessages(reader, queue, sentAt);
  for (let n = 0; n < MESSAGES; n++) {
    const content = `message ${n}`;
    sentAt.set(content, performance.now());
    await owner.call('POST', '/messages', { type: 'channel', to: 'lively', topic: 'bench', content });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
  }
  const delays = await seen;
  const look = service.services.config.lookSchedule[0]?.everyMs ?? 0;
  const row = (name: string, ms: number, looks: number): Row => ({
    what: `send → seen, ${name}`,
    measured: `${ms.toFixed(0)} ms = ${(ms / look).toFixed(2)} looks`,
    budget: `≤ ${looks} look${looks > 1 ? 's' : ''} (${look} ms)`,
  });
  return [row('p50', percentile(delays, 0.5), 1), row('p99', percentile(delays, 0.99), 3)];
}

async function readMessages(
  reader: BenchClient,
  queue: { queue_id: string; last_event_id: number },
  sentAt: Map<string, number>,
): Promise<number[]> {
  const delays: number[] = [];
  let lastEventId = queue.last_event_id;
  while (delays.length < MESSAGES) {
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
