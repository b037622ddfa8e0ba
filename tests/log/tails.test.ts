import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commit, StaleState } from '#shared/log/commit.ts';
import { copyOf } from '#shared/log/copies.ts';
import { moveFrontier } from '#shared/log/head.ts';
import { TailReader } from '#shared/log/tail-reader.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findEntry, readCounter } from '#shared/store/log.ts';
import { toEntry } from '#shared/store/log-entry.ts';
import { keys } from '#shared/table/keys.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { expectEquation } from '#tests/harness/equation.ts';
import {
  eventFor,
  expireEntries,
  messageFor,
  moveLogTo,
  numbersOf,
  takePosition,
  withCalls,
} from '#tests/harness/log.ts';
import { expectBadQueue } from '#tests/harness/refusal.ts';
import { createChannel, createUsers, drainMessages } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

const COPIES = 3;
/** Far apart, so that a slow machine passes none of them by itself. */
const SEAL_GRACE_MS = 20_000;
const CHECK_INTERVAL_MS = 40_000;
const PAST_GRACE_MS = 21_000;
const PAST_CHECK_MS = 41_000;
const PAST_USE_MS = 61_000;

let service: TestService;
let ada: Client;
let bo: Client;
beforeAll(async () => {
  service = await startTestService({
    tailCopies: COPIES,
    sealGraceMs: SEAL_GRACE_MS,
    tailCheckIntervalMs: CHECK_INTERVAL_MS,
  });
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
});
afterAll(() => service.stop());

const tell = (...numbers: number[]): Promise<number> =>
  commit(service.services, eventFor(ada.userId, ...numbers));

/** A queue of each copy, the log first. What was written last is new, so that copies are not doubted yet. */
async function registerOnEach(client: Client, copies = COPIES): Promise<EventQueue[]> {
  await tell(0);
  const queues: EventQueue[] = [];
  while (Object.keys(queues).length < copies) {
    const queue = await client.listen();
    queues[copyOf(queue.queueId, copies)] ??= queue;
  }
  return queues;
}

async function registerOnCopy(client: Client): Promise<EventQueue> {
  const [, queue] = await registerOnEach(client);
  return queue as EventQueue;
}

const findCopy = (position: number, copy = 1) => service.services.table.find(keys.tailEntry(copy, position));
const loseCopy = (position: number) =>
  service.services.table.write({ kind: 'delete', key: keys.tailEntry(1, position) });

/** The copy tells another number than the log, so that it shows which of them was read. */
const markCopy = (position: number, number: number, copy = 1) =>
  service.services.table.write({
    kind: 'update',
    key: keys.tailEntry(copy, position),
    set: { events: eventFor(ada.userId, number).events },
  });

/** The services of a function that was deployed with another number of copies. */
const deployedWith = (tailCopies: number): Services => ({
  ...service.services,
  config: { ...service.services.config, tailCopies },
});

describe('with copies of the tail', () => {
  test('an entry stands in the log and in each copy, where no index finds it and it ends within an hour', async () => {
    const { services } = service;
    const position = await commit(services, await messageFor(services, ada.userId, 'hi'));
    const entry = await findEntry(services.table, position);
    for (const copy of [1, 2]) {
      const item = await findCopy(position, copy);
      expect(item && toEntry(item)).toEqual(entry);
      expect(Number(item?.expiresAtSeconds)).toBeLessThanOrEqual(services.clock.nowMs() / 1000 + 3600);
      expect(item).not.toHaveProperty('inConversation');
      expect(item).not.toHaveProperty('inChannel');
    }
    expect(await findCopy(position, COPIES)).toBeUndefined();
  });

  test('two people who chat get every message once and in order, whichever copies their queues read', async () => {
    const { channelId } = await createChannel(service, [ada, bo]);
    const queues = [...(await registerOnEach(ada)), ...(await registerOnEach(bo))];
    const sent: number[] = [];
    for (let n = 0; n < 4; n++) {
      const sender = n % 2 ? ada : bo;
      sent.push(await sender.send(channelId, 'topic', `message ${n}`));
    }
    for (const queue of queues) expect((await drainMessages(queue)).map(({ id }) => id)).toEqual(sent);
  });

  test('a snapshot and what comes after it make a fresh snapshot', async () => {
    const { name } = await createChannel(service, [ada]);
    await expectEquation(service, [ada, bo, ada, bo, service.owner], async () => {
      await bo.subscribe(name);
      await bo.send(name, 'topic', 'hello');
      await bo.sendDirect([ada.userId], 'hello');
    });
  });

  test('a poll that waits gets what comes', async () => {
    const queue = await registerOnCopy(ada);
    const polling = queue.poll();
    await tell(1);
    expect(numbersOf((await polling).body.events)).toEqual([1]);
  });

  test('a queue reads the copy that its id falls to, and no other', async () => {
    const queues = await registerOnEach(ada);
    const position = await tell(10);
    await markCopy(position, 11, 1);
    await markCopy(position, 12, 2);
    for (const [copy, queue] of queues.entries()) expect(numbersOf(await queue.drain())).toEqual([10 + copy]);
  });

  test('what is a minute old is read from the log, since it may have been changed there', async () => {
    const queue = await registerOnCopy(ada);
    await markCopy(await tell(1), 2);
    service.advance(PAST_USE_MS);
    await tell(3);
    expect(numbersOf(await queue.drain())).toEqual([1, 3]);
  });

  test('everything is read over the end of a block', async () => {
    await moveLogTo(service.services, 2_997);
    const queue = await registerOnCopy(ada);
    for (let number = 2_999; number < 3_003; number++) {
      expect(await tell(number)).toBe(number);
      expect(numbersOf(await queue.drain())).toEqual([number]);
    }
  });
});

describe('a hole in a copy', () => {
  test('is not passed while its writer may still come, and then read from the log and filled', async () => {
    const queue = await registerOnCopy(ada);
    await tell(1);
    const hole = await tell(2);
    await loseCopy(hole);
    await tell(3);
    expect(numbersOf(await queue.drain())).toEqual([1]);
    service.advance(PAST_GRACE_MS);
    expect(numbersOf(await queue.drain())).toEqual([2, 3]);
    expect(toEntry((await findCopy(hole)) ?? {})).toEqual(await findEntry(service.services.table, hole));
  });

  test('at its end is noticed by a poll that waits, and filled', async () => {
    const queue = await registerOnCopy(ada);
    const last = await tell(1);
    await loseCopy(last);
    expect(await queue.drain()).toEqual([]);
    const polling = queue.poll();
    service.advance(PAST_CHECK_MS);
    expect(numbersOf((await polling).body.events)).toEqual([1]);
    expect(await findCopy(last)).toBeDefined();
  });

  test('where a block ends is filled like any other', async () => {
    await moveLogTo(service.services, 3_996);
    const queue = await registerOnCopy(ada);
    for (let number = 3_998; number < 4_003; number++) await tell(number);
    for (const hole of [3_999, 4_000]) await loseCopy(hole);
    expect(numbersOf(await queue.drain())).toEqual([3_998]);
    service.advance(PAST_GRACE_MS);
    expect(numbersOf(await queue.drain())).toEqual([3_999, 4_000, 4_001, 4_002]);
    expect(await findCopy(4_000)).toBeDefined();
  });

  test('that is one of the log is sealed there, and then in the copy', async () => {
    const queue = await registerOnCopy(ada);
    const hole = await takePosition(service.services);
    await tell(1);
    expect(await queue.drain()).toEqual([]);
    service.advance(PAST_GRACE_MS);
    expect(numbersOf(await queue.drain())).toEqual([1]);
    const sealed = await findEntry(service.services.table, hole);
    expect(sealed?.writeId).toMatch(/-seal$/);
    expect(toEntry((await findCopy(hole)) ?? {})).toEqual(sealed);
  });

  test('whose entry has expired in the log ends the queue', async () => {
    const queue = await registerOnCopy(ada);
    const gone = await tell(1);
    await tell(2);
    await moveFrontier(service.services, await readCounter(service.services.table));
    await expireEntries(service.services, gone, gone);
    await loseCopy(gone);
    service.advance(PAST_GRACE_MS);
    expectBadQueue(await queue.poll({ dont_block: true }), queue.queueId);
  });

  test('of any length does not keep a queue that slept from what it missed', async () => {
    const queue = await registerOnCopy(ada);
    const positions: number[] = [];
    for (let number = 1; number <= 30; number++) positions.push(await tell(number));
    for (const position of positions.slice(0, 25)) await loseCopy(position);
    service.advance(PAST_USE_MS);
    expect(numbersOf(await queue.drain())).toEqual(positions.map((_position, index) => index + 1));
    expect(await findCopy(positions[0] as number), 'nobody needs it any more').toBeUndefined();
  });
});

describe('a writer', () => {
  test('that cannot write a copy has written all the same', async () => {
    const queue = await registerOnCopy(ada);
    const hindered = withCalls(service.services, (table) => ({
      write: async (write) => {
        if (write.kind === 'put' && write.item.pk.startsWith('TAIL#')) throw new Error('No reply');
        await table.write(write);
      },
    }));
    const position = await commit(hindered, eventFor(ada.userId, 1));
    expect(await findCopy(position)).toBeUndefined();
    service.advance(PAST_CHECK_MS);
    expect(numbersOf(await queue.drain())).toEqual([1]);
  });

  test('that lost its position to a reader leaves nothing in the copies', async () => {
    const { services } = service;
    const positions: number[] = [];
    const late = withCalls(services, (table) => ({
      increment: async (key, attribute) => {
        const position = await table.increment(key, attribute);
        positions.push(position);
        if (positions.length === 1) {
          await tell(2);
          service.advance(PAST_GRACE_MS);
          await new TailReader(services, '0').read(position - 1, 'both');
        }
        return position;
      },
    }));
    const queue = await registerOnCopy(ada);
    const position = await commit(late, eventFor(ada.userId, 1));
    const [lost = 0] = positions;
    expect(position).toBeGreaterThan(lost);
    expect(await findCopy(lost)).toBeUndefined();
    expect(numbersOf(await queue.drain())).toEqual([2, 1]);
  });

  test('that gives up fills its position in the copies too, so that nobody waits', async () => {
    const queue = await registerOnCopy(ada);
    const refused = { kind: 'check', key: keys.organization(), condition: { exists: false } } as const;
    const stale = commit(service.services, { ...eventFor(ada.userId, 1), writes: [refused] });
    await expect(stale).rejects.toThrow(StaleState);
    const position = await readCounter(service.services.table);
    expect(await findCopy(position)).toMatchObject({ writeId: expect.stringMatching(/-abandoned$/) });
    await tell(2);
    expect(numbersOf(await queue.drain())).toEqual([2]);
  });
});

describe('while functions with another number of copies still run', () => {
  const read = (tailCopies: number, { queueId }: EventQueue, after: number) =>
    new TailReader(deployedWith(tailCopies), queueId).read(after, 'both');

  test('what writers without copies write reaches every queue', async () => {
    const queues = await registerOnEach(ada);
    await commit(deployedWith(1), eventFor(ada.userId, 1));
    service.advance(PAST_CHECK_MS);
    await tell(2);
    for (const queue of queues) expect(numbersOf(await queue.drain())).toEqual([1, 2]);
  });

  test('what only writers without copies write reaches every queue', async () => {
    const queues = await registerOnEach(ada);
    for (const number of [1, 2]) await commit(deployedWith(1), eventFor(ada.userId, number));
    service.advance(PAST_CHECK_MS);
    for (const queue of queues) expect(numbersOf(await queue.drain())).toEqual([1, 2]);
  });

  test.each([1, 2, 5])('a reader that knows of %i gets what writers of three wrote', async (tailCopies) => {
    await tell(0);
    const queue = await ada.listen();
    const after = await readCounter(service.services.table);
    const positions = [await tell(1), await tell(2)];
    service.advance(PAST_CHECK_MS);
    const entries = await read(tailCopies, queue, after);
    expect(entries.map(({ position }) => position)).toEqual(positions);
  });
});
