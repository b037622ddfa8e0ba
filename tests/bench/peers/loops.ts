import { setTimeout as pause } from 'node:timers/promises';
import type { Crowd } from './crowd.ts';
import type { PeerClient } from './peer-client.ts';

const CHANNEL_MESSAGES = ['message'];
const SENDERS = 8;
const REGISTERS = 20;
const REGISTERS_AT_ONCE = 4;

/** Times of a loop, in ms. */
export interface Seen {
  /** From the begin of a send to its answer. */
  acknowledged: number[];
  /** From the begin of a send to its event at a waiting reader, for each reader. */
  seen: number[];
}

/** One sender at a fixed rate, and readers that wait by long polls, one account for ten. */
export async function timeSends(
  { sender, readers, channel }: Crowd,
  { messages, gapMs, waiting }: { messages: number; gapMs: number; waiting: number },
): Promise<Seen> {
  const sentAt = new Map<string, number>();
  const result: Seen = { acknowledged: [], seen: [] };
  const name = `to ${waiting}`;
  const queues = await openQueues(readers, waiting);
  const all = queues.map(async ({ reader, queueId, lastEventId }) => {
    let last = lastEventId;
    for (let left = messages; left > 0; ) {
      const params = { queue_id: queueId, last_event_id: last };
      const { events } = await reader.call('GET', '/events', params);
      const nowMs = performance.now();
      for (const event of events as { id: number; message?: { content: string } }[]) {
        last = event.id;
        const start = sentAt.get(event.message?.content ?? '');
        if (start === undefined) continue;
        result.seen.push(nowMs - start);
        left--;
      }
    }
  });
  await pause(1_000);
  for (let n = 0; n < messages; n++) {
    const content = `${name}, ${n}`;
    const start = performance.now();
    sentAt.set(content, start);
    await sender.call('POST', '/messages', { type: 'stream', to: channel, topic: name, content });
    result.acknowledged.push(performance.now() - start);
    await pause(Math.max(0, start + gapMs - performance.now()));
  }
  await Promise.all(all);
  await Promise.all(
    queues.map(({ reader, queueId }) => reader.call('DELETE', '/events', { queue_id: queueId })),
  );
  return result;
}

async function openQueues(readers: PeerClient[], count: number) {
  const queues: { reader: PeerClient; queueId: string; lastEventId: number }[] = [];
  for (let n = 0; n < count; n++) {
    const reader = readers[n % readers.length] as PeerClient;
    const params = {
      event_types: CHANNEL_MESSAGES,
      fetch_event_types: CHANNEL_MESSAGES,
      apply_markdown: false,
    };
    const { queue_id, last_event_id } = await reader.call('POST', '/register', params);
    queues.push({ reader, queueId: queue_id, lastEventId: last_event_id });
  }
  return queues;
}

/** How many messages eight senders get through in a second, each waiting for its answer. */
export async function countSends({ readers, channel }: Crowd, ms: number): Promise<number> {
  const endMs = performance.now() + ms;
  let sent = 0;
  const send = async (n: number): Promise<void> => {
    const sender = readers[n % readers.length] as PeerClient;
    while (performance.now() < endMs) {
      await sender.call('POST', '/messages', {
        type: 'stream',
        to: channel,
        topic: `sender ${n}`,
        content: 'hello',
      });
      sent++;
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, n) => send(n)));
  return sent / (ms / 1000);
}

/** Full registers one after another, in ms, and how many are done in a second when some come at once. */
export async function timeRegisters({ sender }: Crowd): Promise<{ times: number[]; perSecond: number }> {
  const times: number[] = [];
  const register = async (): Promise<void> => {
    const start = performance.now();
    await sender.call('POST', '/register');
    times.push(performance.now() - start);
  };
  await register();
  times.length = 0;
  for (let n = 0; n < REGISTERS; n++) await register();
  const alone = [...times];
  const start = performance.now();
  const several = async (): Promise<void> => {
    for (let n = 0; n < REGISTERS / REGISTERS_AT_ONCE; n++) await register();
  };
  await Promise.all(Array.from({ length: REGISTERS_AT_ONCE }, several));
  return { times: alone, perSecond: REGISTERS / ((performance.now() - start) / 1000) };
}
