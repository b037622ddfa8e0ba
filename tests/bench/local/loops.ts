import { setTimeout as pause } from 'node:timers/promises';
import type { LeanClient } from './lean-client.ts';
import type { Team } from './team.ts';

const SENDERS = 8;
/** Until all polls wait. */
const SETTLE_MS = 1_000;
const API = '/api/v1';

/** Times of sends at a fixed rate, in ms. */
export interface Sends {
  /** From the begin of a send to its answer. */
  acknowledged: number[];
  /** From the begin of a send to its event at a waiting reader, for each reader. */
  seen: number[];
}

/** One sender, and readers who wait by long polls. */
export async function timeSends(
  { owner, members, channel }: Team,
  { messages, gapMs, waiting }: { messages: number; gapMs: number; waiting: number },
): Promise<Sends> {
  const sentAt = new Map<string, number>();
  const result: Sends = { acknowledged: [], seen: [] };
  const topic = `for ${waiting} readers`;
  const queues: Queue[] = [];
  for (let n = 0; n < waiting; n++) queues.push(await openQueue(members[n % members.length] as LeanClient));
  const read = async ({ reader, queueId, lastEventId }: Queue): Promise<void> => {
    let last = lastEventId;
    for (let left = messages; left > 0; ) {
      const params = { queue_id: queueId, last_event_id: last };
      const { events } = await reader.call('GET', `${API}/events`, params);
      const nowMs = performance.now();
      for (const event of events as { id: number; message?: { content: string } }[]) {
        last = event.id;
        const beganMs = sentAt.get(event.message?.content ?? '');
        if (beganMs === undefined) continue;
        result.seen.push(nowMs - beganMs);
        left--;
      }
    }
    await reader.call('DELETE', `${API}/events`, { queue_id: queueId });
  };
  const readers = queues.map(read);
  await pause(SETTLE_MS);
  for (let n = 0; n < messages; n++) {
    const content = `${topic}, ${n}`;
    const beganMs = performance.now();
    sentAt.set(content, beganMs);
    await owner.call('POST', `${API}/messages`, { type: 'stream', to: channel, topic, content });
    result.acknowledged.push(performance.now() - beganMs);
    await pause(Math.max(0, beganMs + gapMs - performance.now()));
  }
  await Promise.all(readers);
  return result;
}

interface Queue {
  reader: LeanClient;
  queueId: string;
  lastEventId: number;
}

async function openQueue(reader: LeanClient): Promise<Queue> {
  const types = ['message'];
  const params = { event_types: types, fetch_event_types: types };
  const { queue_id, last_event_id } = await reader.call('POST', `${API}/register`, params);
  return { reader, queueId: queue_id, lastEventId: last_event_id };
}

/** How many messages eight senders get through in a second, each of whom waits for each answer. */
export async function countSends({ members, channel }: Team, ms: number): Promise<number> {
  const endMs = performance.now() + ms;
  let sent = 0;
  const send = async (n: number): Promise<void> => {
    const sender = members[n % members.length] as LeanClient;
    const message = { type: 'stream', to: channel, topic: `sender ${n}`, content: 'hello' };
    for (; performance.now() < endMs; sent++) await sender.call('POST', `${API}/messages`, message);
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, n) => send(n)));
  return sent / (ms / 1000);
}

/** The same call one after another, in ms. */
export async function timeCalls(
  client: LeanClient,
  { method, path, count, gapMs = 0 }: { method: string; path: string; count: number; gapMs?: number },
): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const beganMs = performance.now();
    await client.call(method, path);
    times.push(performance.now() - beganMs);
    await pause(gapMs);
  }
  return times;
}

/** Sends at a steady rate for some minutes, and calls back at the end of each. */
export async function sendSteadily(
  { members, channel }: Team,
  {
    perSecond,
    minutes,
    onMinute,
  }: { perSecond: number; minutes: number; onMinute: (minute: number) => void },
): Promise<void> {
  const beganMs = performance.now();
  const gapMs = 1000 / perSecond;
  for (let n = 0; n < perSecond * 60 * minutes; n++) {
    const sender = members[n % members.length] as LeanClient;
    const content = `**message ${n}** about what has to be done until the end of the week`;
    await sender.call('POST', `${API}/messages`, {
      type: 'stream',
      to: channel,
      topic: `topic ${n % 50}`,
      content,
    });
    if ((n + 1) % (perSecond * 60) === 0) onMinute((n + 1) / (perSecond * 60));
    await pause(Math.max(0, beganMs + (n + 1) * gapMs - performance.now()));
  }
}
