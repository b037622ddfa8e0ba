import { describe, expect, test } from 'vitest';
import { FIRST_KEY_VERSION } from '#shared/domain/users/create.ts';
import { endOfPosition, positionOfEventId } from '#shared/events/event-id.ts';
import { commit } from '#shared/log/commit.ts';
import { moveLowWaterMark } from '#shared/log/head.ts';
import { pollQueue } from '#shared/queues/poll.ts';
import { getQueue } from '#shared/queues/queue.ts';
import { readCounter } from '#shared/store/log/log.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import {
  eventFor,
  expireEntries,
  messageFor,
  moveLogTo,
  numbersOf,
  withCalls,
  writeEntries,
} from '#tests/harness/log.ts';
import { expectBadQueue } from '#tests/harness/refusal.ts';
import { createUser, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
// Entries of the process itself would reach a poll without a read of the log.
delete service.services.appends;
const ada = await createUser(service, 'Ada');

const commitEvents = (...numbers: number[]): Promise<number> =>
  commit(service.services, eventFor(ada.userId, ...numbers));
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

const entryAt = (position: number, change: Partial<LogEntry>): LogEntry => ({
  position,
  atMs: service.services.clock.nowMs(),
  writeId: `test-${position}`,
  events: [],
  ...change,
});

describe('A queue', () => {
  test('Gets every event once and in order although it is thousands of positions behind', async () => {
    const queue = await ada.listen();
    const start = (await readCounter(service.services.table)) + 1;
    const positions = range(start, start + 2_499);
    await writeEntries(
      service.services,
      positions.map((position) => {
        const change = eventFor(position % 5 === 0 ? service.owner.userId : ada.userId, position);
        return entryAt(position, { events: change.events ?? [] });
      }),
    );
    expect(numbersOf(await queue.drain())).toEqual(positions.filter((position) => position % 5 !== 0));
  });

  test('Gets large messages across the end of a block, whoever else has read there already', async () => {
    await moveLogTo(service.services, 9_880);
    const queue = await ada.listen({ event_types: ['message'] });
    const { message } = await messageFor(service.services, ada.userId, 'x'.repeat(10_000));
    const large = { ...message, html: 'y'.repeat(100_000) };
    const positions = range(9_881, 10_010);
    await writeEntries(
      service.services,
      positions.map((position) => entryAt(position, position % 4 === 0 ? { message: large as never } : {})),
    );
    await moveLowWaterMark(service.services, 10_010);
    service.advance(1_100);
    const ids = (await drainMessages(queue)).map(({ id }) => id);
    expect(ids).toEqual(positions.filter((position) => position % 4 === 0));
  });
});

describe('Event ids', () => {
  test('Grow strictly within an entry, over entries and heartbeats', async () => {
    const queue = await ada.listen();
    const ids: number[] = [queue.lastEventId];
    const poll = async () => {
      const { body } = await queue.poll({ last_event_id: ids.at(-1), dont_block: true });
      ids.push(...body.events.map(({ id }: { id: number }) => id));
    };
    await commitEvents(1, 2, 3);
    await poll();
    for (let minute = 0; minute < 3; minute++) {
      service.advance(61_000);
      await poll();
    }
    await commitEvents(4);
    await commitEvents(5, 6);
    await poll();
    expect(ids).toHaveLength(1 + 3 + 3 + 3);
    for (const [index, id] of ids.entries()) if (index > 0) expect(id).toBeGreaterThan(ids[index - 1] ?? 0);
    expect(ids.every(Number.isSafeInteger)).toBe(true);
  });

  test('Within an entry let a client continue in the middle of it', async () => {
    const queue = await ada.listen();
    const position = await commitEvents(1, 2, 3);
    const [first] = (await queue.poll({ dont_block: true })).body.events;
    expect(positionOfEventId(first.id)).toBe(position);
    const { body } = await queue.poll({ last_event_id: first.id, dont_block: true });
    expect(numbersOf(body.events)).toEqual([2, 3]);
    const rest = await queue.poll({ last_event_id: endOfPosition(position), dont_block: true });
    expect(rest.body.events).toEqual([]);
  });

  test('Within an entry are not used by a heartbeat while the rest of the entry is pending', async () => {
    const { services } = service;
    const queue = await ada.listen();
    await commitEvents(1, 2, 3);
    const [first] = (await queue.poll({ dont_block: true })).body.events;
    service.advance(61_000);
    const behind = withCalls(services, () => ({ page: async () => ({ items: [], more: false }) }));
    const heard = await pollQueue(
      behind,
      await getQueue(services, ada.userId, queue.queueId),
      { ...(await getCurrentUser(services, ada.userId)), keyVersion: FIRST_KEY_VERSION },
      { lastEventId: first.id, blocks: false },
    );
    expect(heard).toEqual([]);
    const { body } = await queue.poll({ last_event_id: first.id, dont_block: true });
    expect(numbersOf(body.events)).toEqual([2, 3]);
  });
});

describe('Expired entries', () => {
  const behind = async () => {
    const queue = await ada.listen({ idle_queue_timeout: 'mobile' });
    const first = await commitEvents(1);
    await commitEvents(2);
    return { queue, first };
  };

  test('End a queue that still needs them', async () => {
    const { queue, first } = await behind();
    await commitEvents(3);
    await moveLowWaterMark(service.services, await readCounter(service.services.table));
    await expireEntries(service.services, first, first + 1);
    service.advance(2_000);
    expectBadQueue(await queue.poll({ dont_block: true }), queue.queueId);
  });

  test('End a queue that still needs them also if no later entry exists', async () => {
    const { queue, first } = await behind();
    const { table } = service.services;
    await moveLowWaterMark(service.services, await readCounter(table));
    await expireEntries(service.services, first, await readCounter(table));
    service.advance(61_000);
    expectBadQueue(await queue.poll({ dont_block: true }), queue.queueId);
  });

  test('Do not affect a queue that has read them already', async () => {
    const { queue, first } = await behind();
    await queue.drain();
    service.advance(61_000);
    await queue.drain();
    await moveLowWaterMark(service.services, first + 1);
    await expireEntries(service.services, first, first + 1);
    service.advance(61_000);
    expect(await queue.drain()).toEqual([]);
    await commitEvents(3);
    expect(numbersOf(await queue.drain())).toEqual([3]);
  });

  test('Do not end a queue that begins after them', async () => {
    const first = await commitEvents(1);
    await moveLowWaterMark(service.services, first);
    await expireEntries(service.services, first, first);
    const queue = await ada.listen();
    await commitEvents(2);
    expect(numbersOf(await queue.drain())).toEqual([2]);
  });
});
