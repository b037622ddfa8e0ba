import { describe, expect, test } from 'vitest';
import { markUnsubscribedRead } from '#functions/workers/steps/mark-unsubscribed-read.ts';
import { readSettledState } from '#shared/exports/settled-state.ts';
import { commit } from '#shared/log/commit.ts';
import { readHead } from '#shared/log/head.ts';
import { seal } from '#shared/log/read.ts';
import { randomIds } from '#shared/runtime/ids.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import { findEntry } from '#shared/store/log/log.ts';
import { toItem } from '#shared/store/log/log-entry.ts';
import { Throttled } from '#shared/table/table.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { eventFor, moveLogTo, numbersOf, takePosition, withCalls } from '#tests/harness/log.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { stillClock } from '#tests/harness/steady-service.ts';

const PAST_GRACE_MS = 1_100;

// However slow the machine is, a hole is as old as the test wants it. Pauses are as short as they can be.
const service = await startTestService({}, { clock: stillClock(), ids: { ...randomIds, fraction: () => 0 } });
const { services } = service;
const ada = await createUser(service, 'Ada');

const commitEvent = (number: number): Promise<number> => commit(services, eventFor(ada.userId, number));

/** Resolves when the service begins to wait for time to pass. */
function nextSleep({ clock }: TestService['services']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { sleep } = clock;
  clock.sleep = (delayMs, signal) => {
    clock.sleep = sleep;
    resolve();
    return clock.sleep(delayMs, signal);
  };
  return promise;
}

describe('A hole', () => {
  test('Stops every reader while its writer may still fill it', async () => {
    const queue = await ada.listen();
    await commitEvent(1);
    const hole = await takePosition(services);
    await commitEvent(2);
    expect(numbersOf(await queue.drain())).toEqual([1]);
    expect(await findEntry(services.table, hole)).toBeUndefined();
    expect((await readHead(services)).position).toBe(hole - 1);
  });

  test('Gets sealed after the grace period, and all later entries are delivered', async () => {
    const queue = await ada.listen();
    const holes = [await takePosition(services), await takePosition(services)];
    await commitEvent(1);
    holes.push(await takePosition(services));
    await commitEvent(2);
    expect(await queue.drain()).toEqual([]);
    service.advance(PAST_GRACE_MS);
    expect(numbersOf(await queue.drain())).toEqual([1, 2]);
    for (const position of holes)
      expect(await findEntry(services.table, position)).toMatchObject({ position, events: [] });
  });

  test('Before a change of an account lets it register as soon as it is sealed', async () => {
    const hole = await takePosition(services);
    const change = await commit(services, eventFor(ada.userId, 1));
    const { status, body } = await ada.post('/register');
    expect(status).toBe(200);
    expect(body.last_event_id).toBeGreaterThanOrEqual(change);
    expect(await findEntry(services.table, hole)).toMatchObject({ events: [] });
  });

  test('Ends the waiting of a poll when it is sealed', async () => {
    const queue = await ada.listen();
    await takePosition(services);
    await commitEvent(1);
    const polling = queue.poll();
    service.advance(PAST_GRACE_MS);
    expect(numbersOf((await polling).body.events)).toEqual([1]);
  });

  test('Before an unsubscription may still become a message, which then becomes read like the others', async () => {
    const { table } = services;
    await ada.subscribe('design');
    await service.owner.subscribe('design');
    const earlier = await service.owner.send('design', 'topic', 'in time');
    const queue = await ada.listen();
    const hole = await takePosition(services);
    const isJobWaiting = nextSleep(services);
    await ada.delete('/users/me/subscriptions', { subscriptions: ['design'] });
    await isJobWaiting;
    const entry = await findEntry(table, earlier);
    if (entry)
      await table.write({ kind: 'put', item: toItem({ ...entry, position: hole, writeId: 'late' }) });
    await service.settle();
    const events = await queue.drain();
    expect(events.find(({ type }) => type === 'message')).toMatchObject({ message: { id: hole } });
    expect(events.find(({ type }) => type === 'update_message_flags')).toMatchObject({
      messages: expect.arrayContaining([earlier, hole]),
    });
  });

  test('Before an unsubscription lets nothing become read in that channel until it is resolved', async () => {
    const channelId = await ada.subscribe('research');
    await service.owner.subscribe('research');
    const unread = await service.owner.send('research', 'topic', 'before the hole');
    await service.settle();
    const queue = await ada.listen({ event_types: ['update_message_flags'] });
    await takePosition(services);
    const handOver = holdJobs(service);
    await ada.delete('/users/me/subscriptions', { subscriptions: ['research'] });
    const [job] = (await listJobs(services.table)).filter(({ type }) => type === 'mark-unsubscribed-read');
    const pauses: number[] = [];
    const clock = { ...services.clock, sleep: async (pauseMs: number) => void pauses.push(pauseMs) };
    await expect(
      markUnsubscribedRead(
        { ...services, clock },
        { rows: [[ada.userId, channelId]] },
        0,
        job?.position ?? 0,
      ),
    ).rejects.toThrow(Throttled);
    expect(pauses).toEqual(Array(20).fill(200));
    service.advance(PAST_GRACE_MS);
    expect(await queue.drain()).toEqual([]);
    await handOver();
    expect(await queue.drain()).toMatchObject([{ messages: expect.arrayContaining([unread]) }]);
  });

  test('Appears in order if its writer fills it in time', async () => {
    const queue = await ada.listen();
    let fillIn = Promise.withResolvers<void>();
    let isTaken = Promise.withResolvers<void>();
    const slow = withCalls(services, (table) => ({
      increment: async (key, attribute) => {
        const position = await table.increment(key, attribute);
        isTaken.resolve();
        await fillIn.promise;
        return position;
      },
    }));
    const slowly = commit(slow, eventFor(ada.userId, 1));
    await isTaken.promise;
    await commitEvent(2);
    expect(await queue.drain()).toEqual([]);
    fillIn.resolve();
    await slowly;
    expect(numbersOf(await queue.drain())).toEqual([1, 2]);

    [fillIn, isTaken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const tooSlowly = commit(slow, eventFor(ada.userId, 3));
    await isTaken.promise;
    await commitEvent(4);
    service.advance(PAST_GRACE_MS);
    expect(numbersOf(await queue.drain())).toEqual([4]);
    fillIn.resolve();
    await tooSlowly;
    expect(numbersOf(await queue.drain())).toEqual([3]);
  });

  test('At the end of the log delays no reader', async () => {
    await commitEvent(1);
    await takePosition(services);
    const queue = await ada.listen();
    await commitEvent(2);
    service.advance(PAST_GRACE_MS);
    expect(numbersOf(await queue.drain())).toEqual([2]);
  });
});

describe('Sealing a hole', () => {
  test('Returns the entry if the position was filled already', async () => {
    const position = await commitEvent(5);
    const entry = await seal(services, position);
    expect(entry.events).toHaveLength(1);
    expect(await findEntry(services.table, position)).toEqual(entry);
  });

  test('Returns the same entry to several readers at once', async () => {
    const position = await takePosition(services);
    const sealed = await Promise.all([1, 2, 3, 4].map(() => seal(services, position)));
    for (const entry of sealed) expect(entry.writeId).toBe(sealed[0]?.writeId);
  });
});

describe('The end of a block', () => {
  test.each([
    ['the last position', 2_000, [1_999]],
    ['the first position of the next', 3_000, [3_000]],
    ['both', 4_000, [3_999, 4_000]],
    ['several', 5_000, [4_996, 4_997, 4_998, 4_999, 5_000, 5_001]],
  ])('Lets readers seal and pass a hole at %s like any other', async (_where, edge, holes) => {
    await moveLogTo(services, edge - 6);
    const queue = await ada.listen();
    const committed: number[] = [];
    for (let position = edge - 5; position < edge + 5; position++) {
      if (holes.includes(position)) expect(await takePosition(services)).toBe(position);
      else {
        expect(await commitEvent(position)).toBe(position);
        committed.push(position);
      }
    }
    const [hole = 0] = holes;
    expect(numbersOf(await queue.drain())).toEqual(committed.filter((position) => position < hole));
    service.advance(PAST_GRACE_MS);
    expect(numbersOf(await queue.drain())).toEqual(committed.filter((position) => position > hole));
    expect((await readHead(services)).position).toBe(edge + 4);
  });

  test('Delivers new entries at once, without a hole to wait for', async () => {
    await moveLogTo(services, 6_997);
    const queue = await ada.listen();
    for (let number = 6_998; number < 7_003; number++) {
      await commitEvent(number);
      expect(numbersOf(await queue.drain())).toEqual([number]);
    }
  });
});

test('An export has a position without a hole before it, so it waits for a hole', async () => {
  const hole = await takePosition(services);
  const channelId = await ada.subscribe('behind the hole');
  const waiting = nextSleep(services);
  const reading = readSettledState(services, 'public');
  await Promise.race([waiting, reading]);
  service.advance(PAST_GRACE_MS);
  const { position, shared } = await reading;
  expect(shared.channels.map(({ channel }) => channel.channelId)).toContain(channelId);
  expect(position).toBeGreaterThan(hole);
});
