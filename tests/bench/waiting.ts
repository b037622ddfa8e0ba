import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Account } from '#shared/domain/users/user.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { pollQueue } from '#shared/queues/poll.ts';
import { createQueue, getQueue, type Queue } from '#shared/queues/queue.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { getAccount } from '#shared/store/users/users.ts';
import { subscribeInBulk } from '#tests/harness/bulk-people.ts';
import { liveIn, VirtualTime, watchLooks } from '#tests/harness/virtual-time.ts';
import type { Row } from './report.ts';
import { type BenchService, startBenchService } from './service.ts';

const MINUTE = 60_000;
/** After this time without a message a queue is looked for most rarely. */
const IDLE_MS = 6 * MINUTE;
const COUNTS = [1, 10, 100, 1_000];
const MESSAGES = 20;
const MAX_POLL_KILOBYTES = 30;
/** The people of `subscribeInBulk` begin here. */
const FIRST_USER_ID = 1_000_000;

const onlyMessages: QueueFilter = {
  applyMarkdown: true,
  clientGravatar: true,
  slimPresence: true,
  eventTypes: ['message'],
  allPublicChannels: false,
  narrow: [],
  capabilities: [],
};

interface Client {
  queue: Queue;
  caller: Account;
}

/** The cost of waiting if one process holds the polls of many clients: units, processor time and memory. */
export async function measureWaiting(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of COUNTS) rows.push(await measureIdle(count));
  return [...rows, ...(await measureLively(COUNTS.at(-1) ?? 0))];
}

/** Idle clients, in a time of its own: the same on every machine. */
async function measureIdle(count: number): Promise<Row> {
  const MINUTES = 2;
  const service = await startShared();
  const clients = await openClients(service, count);
  const { services } = service;
  const time = new VirtualTime(services.clock.nowMs());
  liveIn(time, services);
  await time.passUntil(time.nowMs() + IDLE_MS);
  let looks = 0;
  watchLooks(services, () => looks++);
  const endMs = time.nowMs() + MINUTES * MINUTE;
  const { read, write } = await service.measure(async () => {
    for (const { queue, caller } of clients)
      await time.start(async () => {
        let { ackedId: lastEventId } = queue;
        while (time.nowMs() < endMs) {
          const stored = await getQueue(services, caller.userId, queue.queueId);
          const events = await pollQueue(services, stored, caller, { lastEventId, blocks: true });
          lastEventId = events.at(-1)?.id ?? lastEventId;
        }
      });
    await time.passUntil(endMs + MINUTE);
  });
  await service.stop();
  const perHour = (units: number) => Math.round((units * 60) / MINUTES);
  return {
    what: `${count} idle queues in one process, an hour`,
    measured: `${perHour(looks)} looks at the log; ${perHour(read / count)} RCU and ${perHour(write / count)} WCU a queue`,
    budget: 'looks do not grow with the queues',
  };
}

async function measureLively(count: number): Promise<Row[]> {
  const service = await startShared();
  const { services, owner } = service;
  const { id: channelId } = await owner.call('POST', '/channels/create', {
    name: 'lively',
    subscribers: [owner.userId],
  });
  await subscribeInBulk(service, channelId, count);
  const clients = await openClients(service, count);
  const before = heapBytes();
  let delivered = 0;
  let isOver = false;
  const polling = clients.map(async ({ queue, caller }) => {
    let { ackedId: lastEventId } = queue;
    while (!isOver) {
      const events = await pollQueue(services, queue, caller, { lastEventId, blocks: true });
      delivered += events.length;
      lastEventId = events.at(-1)?.id ?? lastEventId;
    }
  });
  await pause(1_000);
  const pollBytes = (heapBytes() - before) / count;
  const startCpu = process.cpuUsage();
  for (let n = 0; n < MESSAGES; n++) {
    const expected = delivered + count;
    await owner.call('POST', '/messages', { type: 'channel', to: channelId, topic: 't', content: 'hello' });
    while (delivered < expected) await pause(1);
  }
  const { user, system } = process.cpuUsage(startCpu);
  isOver = true;
  await service.stop();
  await Promise.allSettled(polling);
  const kilobytes = pollBytes / 1024;
  return [
    {
      what: 'memory of a poll that waits, without its connection',
      measured: `${kilobytes.toFixed(1)} KB`,
      budget: `≤ ${MAX_POLL_KILOBYTES} KB`,
      isMet: kilobytes <= MAX_POLL_KILOBYTES,
    },
    {
      what: `processor time of a message for each of ${count} waiting polls`,
      measured: `${((user + system) / delivered).toFixed(0)} µs`,
      budget: 'this machine',
    },
  ];
}

/** A service whose process holds many polls and is not notified of its own writes, like one beside others. */
async function startShared(): Promise<BenchService> {
  const service = await startBenchService();
  service.services.appends = new EventEmitter();
  return service;
}

/** Clients of people who are in the log only by their subscriptions. */
async function openClients({ services, owner }: BenchService, count: number): Promise<Client[]> {
  const account = await getAccount(services.table, owner.userId);
  const position = await readCounter(services.table);
  const clients: Client[] = [];
  for (let n = 0; n < count; n++) {
    const caller = { ...account, userId: FIRST_USER_ID + n };
    const of = { userId: caller.userId, filter: onlyMessages, idleTimeoutSeconds: 3_600 };
    clients.push({ caller, queue: await createQueue(services, of, position) });
  }
  return clients;
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
