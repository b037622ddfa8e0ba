import { describe, expect, test } from 'vitest';
import { memberWrites } from '#shared/domain/subscriptions/writes.ts';
import { listEntries } from '#shared/store/log/log.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import type { EventQueue, ReceivedEvent, Reply } from '#tests/harness/client.ts';
import { writeEntries } from '#tests/harness/log.ts';
import { createChannel, createUsers, idsOf } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';

const WEEK_SECONDS = 7 * 24 * 3600;
const POSITIONS = 3_000;
/** One message in this many has the greatest length, and all of it has to be escaped. */
const LONG_EVERY = 30;
const LONG = '"'.repeat(10_000);
/** A page of the table is 1 MB, and near the end of a block a look reads two. */
const UNITS_PER_PAGE = 1024 / 8;
/** Authentication, the queue, and the state that decides about the entries. */
const UNITS_PER_POLL = 8;
const MAX_REPLY_BYTES = 6_000_000;

// A poll looks once, so that each shows the cost of one look.
const service = await startTestService({ pollHoldMs: 0 });
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const room = await createChannel(service, [ada, bo]);
const params = { idle_queue_timeout: WEEK_SECONDS, event_types: ['message'] };
const queues = { reader: await bo.listen(params), stranger: await cy.listen(params) };
const place = { channelId: room.channelId, channelName: room.name };
const contentAt = (position: number) => (position % LONG_EVERY === 0 ? LONG : 'word '.repeat(40));
const filled = await fillLog(service.services, place, POSITIONS, POSITIONS, contentAt);
service.advance((WEEK_SECONDS - 60) * 1000);
const { read: unitsOfLog } = await unitsOf(service, () =>
  listEntries(service.services.table, filled.first, filled.last, { eventually: true }),
);

interface Page {
  events: ReceivedEvent[];
  read: number;
  write: number;
  /** The bytes that the function has to write for an uncompressed reply. */
  bytes: number;
}

async function takePage(queue: EventQueue): Promise<Page> {
  service.meter.reset();
  const reply: Reply = await queue.poll({ dont_block: true });
  expect(reply.status).toBe(200);
  const { read, write } = service.meter;
  const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(reply.body)));
  const { events } = reply.body;
  queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId;
  return { events, read, write, bytes };
}

const sumOf = (pages: Page[], units: 'read' | 'write'): number =>
  pages.reduce((sum, page) => sum + page[units], 0);

/** Until a poll finds that nothing is left to read. */
async function catchUp(queue: EventQueue): Promise<Page[]> {
  const pages: Page[] = [];
  do pages.push(await takePage(queue));
  while ((pages.at(-1)?.read ?? 0) > UNITS_PER_POLL || (pages.at(-1)?.events.length ?? 0) > 0);
  return pages;
}

describe('A queue that slept for a week in a busy organization', () => {
  test('Gets everything once, in replies that fit, and the log is read once', async () => {
    const pages = await catchUp(queues.reader);
    const messages = pages.flatMap(({ events }) => events).filter(({ type }) => type === 'message');
    const expected = Array.from({ length: POSITIONS }, (_, n) => filled.first + n);
    expect(idsOf(messages.map(({ message }) => message))).toEqual(expected);
    expect(Math.max(...pages.map(({ bytes }) => bytes))).toBeLessThan(MAX_REPLY_BYTES);
    expect(Math.max(...pages.map(({ read }) => read))).toBeLessThan(2 * UNITS_PER_PAGE + UNITS_PER_POLL);
    expect(sumOf(pages, 'read')).toBeLessThan(1.1 * unitsOfLog + UNITS_PER_POLL * pages.length);
  });

  test('Remembers its position if no event was for it', async () => {
    const pages = await catchUp(queues.stranger);
    expect(pages.flatMap(({ events }) => events).filter(({ type }) => type !== 'heartbeat')).toEqual([]);
    expect(pages.length).toBeGreaterThan(3);
    expect(Math.max(...pages.map(({ read }) => read))).toBeLessThan(2 * UNITS_PER_PAGE + UNITS_PER_POLL);
    expect(sumOf(pages, 'read')).toBeLessThan(1.1 * unitsOfLog + UNITS_PER_POLL * pages.length);
    expect(sumOf(pages, 'write')).toBeLessThanOrEqual(pages.length);
    const id = await ada.sendDirect([cy.userId], 'at last');
    expect((await takePage(queues.stranger)).events).toMatchObject([{ message: { id } }]);
  });

  test('Does not start from its old position if it is polled for a long time', async () => {
    const patient = await startTestService({ pollHoldMs: 20_000 });
    const [dee, eve] = await createUsers(patient, 'Dee', 'Eve');
    const { name, channelId } = await createChannel(patient, [dee]);
    const queue = await eve.listen({ event_types: ['message'] });
    await fillLog(patient.services, { channelId, channelName: name }, 2_000);
    await queue.poll({ dont_block: true });
    const { read, write } = await unitsOf(patient, () => queue.poll({ dont_block: true }));
    expect(read).toBeLessThanOrEqual(UNITS_PER_POLL);
    expect(write).toBe(0);
  });
});

describe('Events that are large', () => {
  const COPIES = 40;
  const CROWD = 15_000;

  test('Come in as many replies as needed, also without compression', async () => {
    const { services } = service;
    const town = await createChannel(service, [ada]);
    const crowd = Array.from({ length: CROWD }, (_, index) => 1_000_000 + index);
    await services.table.transact(memberWrites(town.channelId, crowd, 'add'), services.ids.writeId());
    const queue = await bo.listen({ event_types: ['subscription'] });
    await bo.subscribe(town.name);
    await service.settle();
    const [came] = await queue.drain();
    const log = await listEntries(services.table, filled.last + 1, filled.last + 1_000);
    const entry = log.findLast(({ events }) => events.some(({ payload }) => payload.op === 'add'));
    const last = log.at(-1)?.position ?? 0;
    const copies = Array.from({ length: COPIES }, (_, n) => ({ ...entry!, position: last + 1 + n }));
    await writeEntries(services, copies);

    const got: ReceivedEvent[] = [];
    let replies = 0;
    for (;;) {
      const params = { queue_id: queue.queueId, last_event_id: queue.lastEventId, dont_block: true };
      const { body } = await bo.get('/events', params, { headers: { 'accept-encoding': 'identity' } });
      if (body.events.length === 0) break;
      got.push(...body.events);
      queue.lastEventId = body.events.at(-1).id;
      replies++;
    }
    expect(got.filter(({ type, op }) => type === 'subscription' && op === 'add')).toHaveLength(COPIES);
    expect(got[0]?.subscriptions).toEqual(came?.subscriptions);
    expect(replies).toBeGreaterThan(3);
  });
});
