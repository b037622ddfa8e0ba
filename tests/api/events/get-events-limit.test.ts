import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createStoppableClock, type StoppableClock } from '#infra/local/stoppable-clock.ts';
import { readPollSlots } from '#shared/store/limits/poll-slots.ts';
import { createBot } from '#tests/api/bots/bots.ts';
import { Client, EventQueue, type Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';

const LIMIT = 3;
const BOTS_LIMIT = 4;
const LOOK_MS = 20;
const HOLD_MS = 1_500;
/** A slot is kept a little longer than its poll may wait. */
const SLOT_MS = HOLD_MS + 3_000;

/** So slow that no poll ends and no slot is given up while a busy machine takes its time: tests let time pass. */
const SLOWNESS = 20;
const startMs = Date.now();
const slowClock = (): StoppableClock =>
  Object.assign(createStoppableClock(), { nowMs: () => startMs + (Date.now() - startMs) / SLOWNESS });

/** Two processes that serve one organization. */
const table = await openTestTable();
const together = { openTable: () => table, secret: randomUUID() };
const config = {
  pollHoldMs: HOLD_MS,
  lookSchedule: [{ fromAgeMs: 0, everyMs: LOOK_MS }],
  pollLimits: { person: LIMIT, botsOfOwner: BOTS_LIMIT },
  pollLeaseCheckMs: 100 / SLOWNESS,
};
const here = await startTestService(config, { ...together, clock: slowClock() });
const there = await startTestService(config, { ...together, clock: slowClock() });

/** The same account, or the same queue, if the other process answers. */
const clientThere = ({ userId, email, apiKey }: Client): Client =>
  new Client(there.url, { userId, email, apiKey }, () => there.settle());
const queueThere = (queue: EventQueue): EventQueue =>
  new EventQueue(clientThere(queue.client), queue.snapshot);

const queuesOf = async (client: Client, count: number): Promise<EventQueue[]> =>
  Promise.all(Array.from({ length: count }, () => client.listen()));

function pass(ms: number): void {
  here.advance(ms);
  there.advance(ms);
}

/** Polls all at once; the ones that may wait get their answer when all others have one. */
async function pollAll(queues: EventQueue[], waiting: number): Promise<Reply[]> {
  let answered = 0;
  const polls = queues.map(async (queue) => {
    const reply = await queue.poll();
    answered++;
    return reply;
  });
  await expect.poll(() => answered).toBe(queues.length - waiting);
  pass(HOLD_MS);
  return Promise.all(polls);
}

const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status).sort();

const expected = (waiting: number, refused: number): number[] => [
  ...Array.from({ length: waiting }, () => 200),
  ...Array.from({ length: refused }, () => 429),
];

describe('Polls of one account that wait at the same time', () => {
  test('Reach the limit across processes, and the next one learns when to return', async () => {
    const ada = await here.createUser('Ada');
    const queues = await queuesOf(ada, 30);
    const places = queues.map((queue, index) => (index % 2 ? queueThere(queue) : queue));
    const replies = await pollAll(places, LIMIT);
    expect(statusesOf(replies)).toEqual(expected(LIMIT, 30 - LIMIT));
    const refused = replies.find(({ status }) => status === 429)!;
    const seconds = Number(refused.headers.get('retry-after'));
    expect([1, 2, 3, 4, 5]).toContain(seconds);
    const refusal = { status: 429, code: 'RATE_LIMIT_HIT', 'retry-after': seconds };
    expectRefusal(refused, 'API usage exceeded rate limit', refusal);
  });

  test('Do not hinder a poll that has events, or that does not wait', async () => {
    const bo = await here.createUser('Bo');
    const [ready, calm, ...waiting] = await queuesOf(bo, LIMIT + 2);
    const held = Promise.all(waiting.map((queue) => queue.poll()));
    await expect.poll(() => slotsTaken(bo.userId)).toBe(LIMIT);
    expect((await calm!.poll()).status).toBe(429);
    expect(await calm!.poll({ dont_block: true })).toMatchObject({ status: 200 });
    await bo.sendDirect([bo.userId], 'to myself');
    expect((await ready!.poll()).body.events).not.toEqual([]);
    expect(statusesOf(await held)).toEqual(expected(LIMIT, 0));
  });

  test('End, and then others may wait', async () => {
    const cy = await here.createUser('Cy');
    const queues = await queuesOf(cy, LIMIT + 1);
    const first = Promise.all(queues.slice(0, LIMIT).map((queue) => queue.poll()));
    await expect.poll(() => slotsTaken(cy.userId)).toBe(LIMIT);
    pass(HOLD_MS);
    expect(statusesOf(await first)).toEqual(expected(LIMIT, 0));
    expect((await queues[LIMIT]!.poll()).status).toBe(429);
    pass(SLOT_MS);
    const other = queues[LIMIT]!.poll();
    await expect.poll(() => slotsTaken(cy.userId)).toBe(1);
    pass(HOLD_MS);
    expect((await other).status).toBe(200);
  });

  test('Count for bots with the other bots of their owner, and not with the owner', async () => {
    const di = await here.createUser('Di');
    const bots = [await createBot(di), await createBot(di)];
    const queues = (await Promise.all(bots.map((bot) => queuesOf(bot, BOTS_LIMIT)))).flat();
    const own = await di.listen();
    const [reply, ...replies] = await pollAll([own, ...queues], 1 + BOTS_LIMIT);
    expect(reply!.status).toBe(200);
    expect(statusesOf(replies)).toEqual(expected(BOTS_LIMIT, BOTS_LIMIT));
  });
});

describe('A client that polls one queue', () => {
  test('May do so without end if each poll returns events', async () => {
    const ed = await here.createUser('Ed');
    const queue = await ed.listen({ event_types: ['message'] });
    for (let round = 0; round < LIMIT + 3; round++) {
      const reply = queue.poll();
      await expect.poll(() => slotsTaken(ed.userId)).toBe(1);
      await ed.sendDirect([ed.userId], `round ${round}`);
      const { events } = (await reply).body;
      expect(events.map((event: { type: string }) => event.type)).toEqual(['message']);
      queue.lastEventId = events[0].id;
    }
  });

  test('Ends its older poll with a newer one, which gets the events, in any process', async () => {
    const flo = await here.createUser('Flo');
    const older = await flo.listen({ event_types: ['message'] });
    const newer = queueThere(older);
    const ending = older.poll();
    await expect.poll(() => slotsTaken(flo.userId)).toBe(1);
    const waiting = newer.poll();
    const first = await Promise.race([ending.then(() => 'older'), waiting.then(() => 'newer')]);
    expect(first).toBe('older');
    expect((await ending).body.events).toEqual([]);
    await flo.sendDirect([flo.userId], 'for the newer');
    expect((await waiting).body.events).toHaveLength(1);
  });
});

/** How many slots hold a poll that has not ended. */
async function slotsTaken(userId: number): Promise<number> {
  const slots = await readPollSlots(here.services.table, { kind: 'person', userId });
  return [...slots.values()].filter(({ untilMs }) => untilMs > here.services.clock.nowMs()).length;
}
