import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commit } from '#shared/log/commit.ts';
import { copyOf } from '#shared/log/copies.ts';
import { partitions } from '#shared/table/keys.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { eventFor, messageFor, moveLogTo } from '#tests/harness/log.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

const LOOK_MS = 50;
const LOOKS = 10;
const CHECK_INTERVAL_MS = 30_000;

let service: TestService;
let ada: Client;
beforeAll(async () => {
  service = await startTestService({
    tailCopies: 3,
    tailCheckIntervalMs: CHECK_INTERVAL_MS,
    pollHoldMs: LOOKS * LOOK_MS,
    lookSchedule: [{ fromAgeMs: 0, everyMs: LOOK_MS }],
  });
  ada = await createUser(service, 'Ada');
});
afterAll(() => service.stop());

async function unitsOf(work: () => Promise<unknown>): Promise<{ read: number; write: number }> {
  await service.settle();
  service.meter.reset();
  await work();
  const { read, write } = service.meter;
  return { read, write };
}

const withCopies = (tailCopies: number) => ({
  ...service.services,
  config: { ...service.services.config, tailCopies },
});

describe('two more copies of the tail cost', () => {
  test.each([
    ['a message of 200 characters', 200, 2],
    ['a message of 1 KB, which is 3 KB with its HTML', 1_100, 6],
  ])('%s as many units more as it has kilobytes, twice', async (_what, length, expected) => {
    const change = await messageFor(service.services, ada.userId, 'x'.repeat(length));
    const one = await unitsOf(() => commit(withCopies(1), change));
    const three = await unitsOf(() => commit(withCopies(3), change));
    expect(three).toEqual({ read: one.read, write: one.write + expected });
  });

  test('a transaction no more than a message', async () => {
    const change = {
      ...eventFor(ada.userId, 1),
      writes: [{ kind: 'put' as const, item: { pk: 'TEST#costs', sk: 'costs' } }],
    };
    const one = await unitsOf(() => commit(withCopies(1), change));
    const three = await unitsOf(() => commit(withCopies(3), change));
    expect(three).toEqual({ read: one.read, write: one.write + 2 });
  });
});

describe('a queue that reads a copy', () => {
  const registerOnCopy = async (): Promise<EventQueue> => {
    await moveLogTo(service.services, 1_500);
    await commit(service.services, eventFor(ada.userId, 1));
    for (;;) {
      const queue = await ada.listen();
      if (copyOf(queue.queueId, 3) === 1) return queue;
    }
  };

  test('pays half a read unit for each look, and one more each time that it looks into the log', async () => {
    const queue = await registerOnCopy();
    const sure = await unitsOf(() => queue.poll({ dont_block: true }));
    const many = await unitsOf(() => queue.poll());
    expect(many.read - sure.read).toBeGreaterThan(1);
    // The right to wait is half a unit more.
    expect(many.read - sure.read).toBeLessThanOrEqual(0.5 * (LOOKS + 1));
    service.advance(CHECK_INTERVAL_MS);
    const checking = await unitsOf(() => queue.poll({ dont_block: true }));
    expect(checking.read - sure.read).toBe(0.5);
    expect(sure.write + checking.write).toBe(0);
    expect(many.write).toBe(1);
  });
});

describe('without further copies', () => {
  test('none is written, and the log is read alone', async () => {
    const alone = await startTestService();
    try {
      const client = await createUser(alone, 'Cy');
      const queue = await client.listen();
      await client.sendDirect([client.userId], 'to myself');
      expect((await queue.drain()).length).toBeGreaterThan(0);
      const { table } = alone.services;
      expect(await table.list({ partition: partitions.logBlock(0), consistent: true })).not.toEqual([]);
      for (const copy of [0, 1, 2])
        expect(await table.list({ partition: partitions.tailBlock(copy, 0), consistent: true })).toEqual([]);
      await alone.settle();
      alone.meter.reset();
      await commit(alone.services, eventFor(client.userId, 1));
      const { read, write } = alone.meter;
      expect({ read, write }, 'the position and the entry').toEqual({ read: 0, write: 2 });
    } finally {
      await alone.stop();
    }
  });
});
